"""Rows of documented tables, made by hand, and what questions about them answer.

The sync `s` of `o` has days from 5 to 14 October 2026. Its weeks are 1 to 7 and 8 to 14 October.
"""

import json
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

from sync_logs_viewer.periods import Period

Rows = list[dict[str, Any]]
SYNC = {"organization_id": "o", "sync_id": "s"}
EARLIER = Period(date(2026, 10, 1), date(2026, 10, 7))
LATER = Period(date(2026, 10, 8), date(2026, 10, 14))
COUNTS = (
    *("run_count", "failed_run_count", "unsettled_run_count", "incomplete_run_count"),
    *("planned_count", "attempted_count", "succeeded_count", "failed_count", "invalid_count"),
    *("aborted_count", "entry_count", "exit_count", "repaired_failure_count"),
    "open_failure_count",
)


def at(day: int, hour: int = 6, month: int = 10) -> datetime:
    """A time of 2026."""
    return datetime(2026, month, day, hour, tzinfo=timezone.utc)


def _day(day: int, *counts: int, **other: Any) -> dict[str, Any]:
    """A day of a sync, with its counts in the order of `COUNTS`; those left out are 0."""
    given = (*counts, *(0 for _ in COUNTS[len(counts) :]))
    numbers = dict(zip(COUNTS, given, strict=True))
    return {**SYNC, "activity_date": date(2026, 10, day), **numbers, **other}


DAYS: Rows = [
    _day(5, 1, 0, 0, 1, 10, 8, 6, 2, 1, 2, 3, 1, 0, 2),
    _day(6),
    _day(7, 2, 1, 0, 0, 10, 8, 4, 4, 0, 2, 1, 1, 1, 5),
    *(_day(day, open_failure_count=5) for day in (8, 9, 10, 11, 12)),
    _day(13, 1, 0, 0, 0, 20, 20, 20, 0, 0, 0, 0, 0, 4, 1),
    _day(14, 1, 0, 1, 0, 5, 5, 4, 1, 0, 0, 9, 0, 0, 2),
    # another sync, and another organisation
    _day(14, *(1000 for _ in COUNTS), sync_id="t"),
    _day(14, *(1000 for _ in COUNTS), organization_id="p"),
]


def _run(number: int, when: datetime | None, **other: Any) -> dict[str, Any]:
    known = {"is_log_complete": False, "is_too_late": False, "run_position": number}
    return {**SYNC, "sync_run_id": str(number), "order_at": when, **known, **other}


RUNS: Rows = [
    _run(9, at(5)),
    _run(10, at(7, 23)),
    *(_run(number, at(8, 0)) for number in range(11, 33)),
    _run(40, at(14, 23)),
    # these do not count
    _run(41, at(14), is_log_complete=True),
    _run(42, at(14), is_log_complete=None),
    _run(43, at(14), is_too_late=True, run_position=None),
    _run(44, None),
    _run(45, at(14), sync_id="t"),
    _run(8, at(30, 23, 9)),
]


RUNS_LAST_FIRST = [*(str(one) for one in (44, 42, 41, 40, *range(32, 7, -1))), "43"]


def _logged(run: str, ended: datetime | None, batch: int, **other: Any) -> dict[str, Any]:
    about = {"sync_run_id": run, "identifier": "ann", "display_status": "Rejected"}
    place = {"batch_number": Decimal(batch), "file_name": f"b.{batch}.parquet", "row_index": 0}
    return {**SYNC, **about, "batch_ended_at": ended, **place, **other}


LOG: Rows = [
    # some sources log no times of rows
    _logged("9", None, 1),
    _logged("10", None, 1),
    # batches that ended together
    *(_logged("40", at(14, 23), batch) for batch in (2, 10, 9)),
    # of a run that is no longer kept
    _logged("1", at(1), 1),
    *(
        _logged("11", at(8), 1, identifier="bob", failure_reason=reason, row_index=place)
        for place, reason in enumerate(("common", "a rare one", "common"))
    ),
]
ANN_LAST_FIRST = [("40", 10), ("40", 9), ("40", 2), ("10", 1), ("9", 1), ("1", 1)]


def _alert(name: str, severity: str, opened: datetime | None, **other: Any) -> dict[str, Any]:
    known = {"alert_id": name, "severity": severity, "opened_at": opened}
    is_open = not {"resolved_at", "is_open"} & other.keys()
    return {**SYNC, "is_muted": False, "is_open": is_open, **known, **other}


ALERTS: Rows = [
    _alert("new warning", "warning", at(9)),
    _alert("old warning", "warning", at(1)),
    _alert("muted", "critical", at(1), is_muted=True),
    _alert("new critical", "critical", at(10)),
    _alert("undated", "critical", None),
    _alert("ended first", "warning", at(1), is_open=False, resolved_at=at(3)),
    _alert("ended last", "warning", at(2), is_open=False, resolved_at=at(5)),
    _alert("ended at a time that is not known", "warning", at(1), is_open=False),
]
OPEN_ALERTS = ["undated", "new critical", "old warning", "new warning", "muted"]
CATEGORIES: Rows = [
    {**SYNC, "sync_id": sync, "category": "limit", "record_count": 2 * number}
    | {"open_record_count": number, "attempt_count": 3 * number}
    for number, sync in ((1, "s"), (2, "t"))
]


def _failure(
    row_id: str,
    pattern: str | None,
    began: datetime | None,
    last: datetime | None,
    ended: datetime | None = None,
    **other: Any,
) -> dict[str, Any]:
    times = {"started_at": began, "last_failed_at": last, "ended_at": ended}
    is_open = ended is None
    return {
        **SYNC,
        "row_id": row_id,
        "failure_pattern": pattern,
        **times,
        "is_open": is_open,
    } | other


FAILURES: Rows = [
    # `grown`: ann and bob before; bob, cyd twice and dan after
    _failure("ann", "grown", at(2), at(3), at(8, 0)),
    _failure("bob", "grown", at(7, 23), at(12)),
    _failure("cyd", "grown", at(8, 0), at(8, 0), at(9)),
    _failure("cyd", "grown", at(10), at(10)),
    _failure("dan", "grown", at(14, 23), at(14, 23)),
    # `gone`: repaired in the earlier week, or exactly when the later one began
    _failure("ann", "gone", at(20, month=9), at(1, 0), at(2)),
    _failure("eve", "gone", at(7), at(7), at(8, 0)),
    # `no longer sent` still fails in both weeks, and no run sends it
    _failure("fay", "no longer sent", at(1, month=8), at(2, month=8)),
    # `renamed` was first seen in the later week: before, these failures had another message
    _failure("gil", "renamed", at(3), at(9)),
    # `shrunk`, of which one end has no time
    _failure("hal", "shrunk", at(1), at(8), None, is_open=False),
    _failure("ida", "shrunk", at(1), at(3), None, is_open=False),
    # without a message
    _failure("jon", None, at(13), at(13)),
    # outside both weeks, without a time, of another sync
    _failure("kim", "old", at(1, month=9), at(2, month=9), at(1, 0)),
    _failure("lee", "old", at(15, 0), at(15, 0)),
    _failure("mia", "old", None, None),
    _failure("ned", "grown", at(10), at(10), sync_id="t"),
]


def _pattern(
    pattern: str | None, first: datetime | None, last: datetime | None, open_count: int = 0
) -> dict[str, Any]:
    seen = {"first_seen_at": first, "last_seen_at": last, "open_record_count": open_count}
    about = {"category": f"c {pattern}", "sample_identifiers": '["ann"]'}
    return {**SYNC, "failure_pattern": pattern, **about, **seen}


PATTERNS: Rows = [
    _pattern("grown", at(2), at(14, 23), 3),
    _pattern("gone", at(20, month=9), at(7)),
    _pattern("no longer sent", at(1, month=8), at(2, month=8), 1),
    _pattern("renamed", at(9), at(9), 1),
    _pattern("shrunk", at(1), at(8)),
    _pattern(None, at(13), at(13), 1),
    _pattern("old", at(1, month=9), at(15, 0), 2),
    # of rows without a key, which have no failures
    _pattern("keyless, new", at(8, 0), at(9)),
    _pattern("keyless, gone", at(1), at(7, 23)),
    _pattern("keyless, both", at(1), at(14)),
    _pattern("keyless, before", at(1, month=9), at(30, 23, 9)),
    _pattern("keyless, after", at(15, 0), at(16)),
    _pattern("keyless, without a time", None, None),
    {**_pattern("grown", at(2), at(14)), "sync_id": "t"},
]

PERIODS: Rows = [
    {
        **{"period": "earlier", "from_date": EARLIER.first, "until_date": EARLIER.last},
        **{"day_count": 3, "run_count": 3, "failed_run_count": 1, "unsettled_run_count": 0},
        **{"incomplete_run_count": 1, "incomplete_sync_run_ids": '["10","9"]'},
        **{"planned_count": 20, "attempted_count": 16, "succeeded_count": 10},
        **{"succeeded_share": 0.625, "failed_count": 6, "failed_share": 0.375},
        **{"invalid_count": 1, "invalid_share": 0.0625, "aborted_count": 4, "entry_count": 4},
        **{"exit_count": 2, "repaired_failure_count": 1, "open_failure_count": 5},
    },
    {
        **{"period": "later", "from_date": LATER.first, "until_date": LATER.last},
        **{"day_count": 7, "run_count": 2, "failed_run_count": 0, "unsettled_run_count": 1},
        "incomplete_run_count": 0,
        # the last twenty of 23
        "incomplete_sync_run_ids": json.dumps(
            ["40", *map(str, range(32, 13, -1))], separators=(",", ":")
        ),
        **{"planned_count": 25, "attempted_count": 25, "succeeded_count": 24},
        **{"succeeded_share": 0.96, "failed_count": 1, "failed_share": 0.04},
        **{"invalid_count": 0, "invalid_share": 0.0, "aborted_count": 0, "entry_count": 9},
        **{"exit_count": 0, "repaired_failure_count": 4, "open_failure_count": 2},
    },
]
# pattern, how it changed, records before and after; in the order of the answer
COMPARED: list[tuple[str | None, str | None, int | None, int | None]] = [
    ("gone", "gone", 2, 0),
    ("grown", "grew", 2, 3),
    (None, "new", 0, 1),
    ("renamed", "new", 0, 1),
    ("shrunk", "shrank", 2, 1),
    ("keyless, new", "new", None, None),
    ("keyless, gone", "gone", None, None),
    ("no longer sent", "same", 1, 1),
    ("old", None, None, None),
    ("keyless, both", None, None, None),
]


def _changed(run: int, field: str, when: datetime | None, **other: Any) -> dict[str, Any]:
    about = {"sync_run_id": str(run), "field_name": field, "run_at": when}
    counts = dict.fromkeys(("previous_count", "previous_payload_count", "new_count"), 1)
    known = {"change_type": "vanished", "json_types": None, "previous_sync_run_id": str(run - 1)}
    return {**SYNC, **about, **counts, "payload_count": 2, **known, **other}


FIELD_CHANGES: Rows = [
    _changed(9, "plan", at(5), change_type="appeared", json_types='["string"]'),
    # it began in the earlier week, and ended in the later one
    _changed(10, "seats", at(8)),
    _changed(11, "tags", None),
    _changed(12, "Plan", at(8)),
    _changed(12, "email", at(8)),
    _changed(40, "plan", at(15, 0)),
    # outside both weeks, without a time, not kept, of others
    *(_changed(run, "other", at(14)) for run in (8, 44, 99)),
    *(_changed(40, "other", at(14), **{name: "x"}) for name in SYNC),
]
# period, run and field, in the order of the answer
CHANGES_OF_PERIODS = [
    *(("later", "40", "plan"), ("later", "12", "Plan"), ("later", "12", "email")),
    *(("later", "11", "tags"), ("earlier", "10", "seats"), ("earlier", "9", "plan")),
]


def _sent(row_id: str | None, fields: object, **other: str) -> dict[str, Any]:
    text = fields if fields is None or isinstance(fields, str) else json.dumps(fields)
    row = {**SYNC, "sync_run_id": "7", "op_type": "changed", "row_id": row_id, "fields": text}
    return row | other


CHANGELOG: Rows = [
    _sent("bob", {"name": "Bob", "note": " ", "plan": None, "tags": ["a", 1], "n": 1.5}),
    _sent("cyd", {"name": "Cyd", "note": "x" * 300, "plan": None, "n": 2}),
    _sent(None, {"name": "", "n": 3}),
    # these have no examples
    _sent("ann", {"name": "Ann", "gone": 1}, op_type="removed"),
    _sent("ann", {"name": "Ann", "other": 1}, sync_run_id="6"),
    _sent("ann", {"name": "Ann", "other": 1}, sync_id="t"),
    _sent("ann", {"name": "Ann", "long": "x" * 100_000}),
    *(_sent("ann", text) for text in ("not json", '["name"]', '"name"', "7", "", "{", None)),
]
# field, whose it is, and the value
EXAMPLES: list[tuple[str, str | None, str]] = [
    *(("n", "bob", "1.5"), ("name", "bob", "Bob"), ("note", "cyd", "x" * 200)),
    ("tags", "bob", '["a",1]'),
]
