"""The periods in which records failed (docs/answers.md): expected values worked out by hand."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from oracle import ANSWER_COLUMNS, ErrorRule
from oracle.answers_facts import facts_of
from oracle.answers_failures import record_failures
from oracle.answers_syncs import sync_statistics
from oracle.building import at, batch, row, sent
from oracle.building_hightouch import held, logged, ran, seen, syncs_in
from oracle.hightouch import HightouchTables
from oracle.hightouch_snapshots import seen_in
from oracle.lake import BatchFile
from oracle.retention import Purge
from specification.small_lake_answers import Rows, answers, by, failed, in_turn, log, picked
from specification.small_retention import before, built, kept
from specification.small_snapshots import RUN_1, RUN_2, RUN_3, step

TIMES = "started_at last_failed_at ended_at hours_open"


def failures(*files: BatchFile, **more: Any) -> Rows:
    return answers(*files, **more)["record_failures"]


def failures_in(found: HightouchTables) -> Rows:
    (sync,) = syncs_in(found)
    return record_failures(facts_of(sync), ())


# Aborted in between. The last reason decides the category.
def test_a_period() -> None:
    files = log("0 a upsert succeeded, 60 a upsert rejected, 90 a upsert aborted")
    files += [*log("120 a upsert rejected"), sent("210", 210, "a", payload="{}")]
    (found,) = failures(*files, rules=(ErrorRule("^12", "network", 1, True),))
    assert {column: found[column] for column in ANSWER_COLUMNS["record_failures"]} == {
        **{"organization_id": "o", "sync_id": "s", "row_id": "a", "failure_number": 1},
        **{"started_at": at(60), "started_sync_run_id": "60"},
        **{"last_failed_at": at(120), "last_failed_sync_run_id": "120"},
        **{"ended_at": at(210), "ended_sync_run_id": "210", "ended_by": "succeeded"},
        **{"is_open": False, "failed_run_count": 2},
        **{"first_failure_reason": "60", "last_failure_reason": "120"},
        **{"failure_pattern": "120", "category": "network", "is_transient": True},
        **{"was_delivered": True, "last_succeeded_at": at(0), "payload_changed": True},
        **{"hours_open": 2.5, "runs_without_attempt": None, "data_until_at": at(210)},
        **{"source_name": "lake", "vendor": "census"},
    }
    columns = "ended_at ended_sync_run_id ended_by is_open payload_changed category hours_open"
    assert picked(failures(*files[:4]), f"{columns} runs_without_attempt") == [
        (None, None, None, True, None, "uncategorised", 1.0, 0)
    ]


# What the next run does to a period: what ends it, and its number of failed outcomes.
@pytest.mark.parametrize(
    ("text", "ended_by", "count"),
    [
        *[("2 a upsert succeeded", "succeeded", 1), ("2 a upsert rejected", None, 2)],
        *[("2 a delete succeeded", "removed", 1), ("2 a delete rejected", None, 2)],
        *[("2 a upsert aborted", None, 1), ("2 a upsert odd", None, 2)],
        *[("2 a odd succeeded", None, 2), ("2 a odd aborted", None, 2)],
        # the last attempt of the best rank; an invalid row only if there is nothing better
        ("2 a upsert rejected, 2 a upsert succeeded", "succeeded", 1),
        ("2 a upsert succeeded, 2 a upsert rejected", None, 2),
        ("2 a upsert succeeded, 2 a upsert DUPLICATE", "succeeded", 1),
        *[("2 a upsert aborted, 2 a upsert NULL", None, 1), ("2 a upsert DUPLICATE", None, 2)],
        # no outcome
        *[(f"2 {one}", None, 1) for one in ("a append succeeded", " upsert succeeded")],
        ("2 a append rejected", None, 1),
        # a replacing run, also if it has only an append row of the record
        ("2 m mirror succeeded", "replaced", 1),
        ("2 m mirror succeeded, 2 a append succeeded", "replaced", 1),
        *[(f"2 m mirror succeeded, 2 a mirror {one}", None, 2) for one in ("rejected", "NULL")],
        ("2 m mirror succeeded, 2 a mirror succeeded", "succeeded", 1),
        ("2 m mirror succeeded, 2 a delete succeeded", "removed", 1),
        # runs that do not replace
        ("2 m mirror succeeded, 2 z mirror aborted", None, 1),
        ("2  mirror succeeded", None, 1),
    ],
)
def test_the_next_run(text: str, ended_by: str | None, count: int) -> None:
    found = failures(*log(f"1 a upsert rejected, {text}"))
    end = ("2", at(2), False) if ended_by else (None, None, True)
    columns = "row_id ended_by ended_sync_run_id ended_at is_open failed_run_count"
    assert picked(found, columns) == [("a", ended_by, *end, count)]


def test_several_periods() -> None:
    assert failures(*log("1 a append rejected, 1  upsert NULL, 1 b upsert aborted")) == []
    found = failures(
        *log("1 a upsert rejected, 1 b upsert rejected, 2 a upsert succeeded, 3 a upsert rejected"),
        *log("4 a upsert rejected, 5 b upsert rejected, 6 a delete succeeded, 7 a upsert odd"),
    )
    columns = "row_id failure_number started_sync_run_id last_failed_sync_run_id ended_sync_run_id"
    assert picked(found, f"{columns} ended_by first_failure_reason last_failure_reason") == [
        ("a", 1, "1", "1", "2", "succeeded", "1", "1"),
        ("a", 2, "3", "4", "6", "removed", "3", "4"),
        ("a", 3, "7", "7", None, None, *["Unrecognised status: odd"] * 2),
        ("b", 1, "1", "5", None, None, "1", "5"),
    ]


# Whether a record was in before it failed, and when it last succeeded.
@pytest.mark.parametrize(
    ("text", "was_delivered", "last"),
    [
        ("2 a upsert rejected", False, None),
        ("1 a upsert succeeded, 2 a upsert rejected", True, at(1)),
        ("1 a upsert succeeded, 2 a delete rejected", True, at(1)),
        ("0 a upsert succeeded, 1 a delete succeeded, 2 a upsert rejected", False, at(1)),
        # a late start: it was in, but the log does not say since when
        ("2 a delete rejected", True, None),
        ("1 a upsert DUPLICATE, 2 a delete rejected", False, None),
        # append rows before the first failed outcome count; in a run, invalid rows come first
        ("1 a append succeeded, 2 a upsert rejected", False, at(1)),
        ("1 a upsert rejected, 2 a append succeeded, 3 a upsert rejected", False, None),
        ("2 a append succeeded, 2 a upsert rejected", False, at(2)),
        ("2 a upsert rejected, 2 a append succeeded", False, None),
        ("2 a append succeeded, 2 a upsert DUPLICATE", False, None),
        # an attempt that is not final has no changelog row
        ("2 a delete succeeded, 2 a upsert rejected", True, None),
    ],
)
def test_before_it_failed(text: str, was_delivered: bool, last: datetime | None) -> None:
    found = failures(*log(text))
    assert picked(found, "was_delivered last_succeeded_at") == [(was_delivered, last)]


# Times never go back, and unknown ones are ignored. Two runs fail, the third one succeeds.
@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((10, 20, 40), (at(10), at(20), at(40), 0.5)),
        ((10, 40, 30), (at(10), at(40), at(40), 0.5)),
        ((50, 40, 45), (at(50), at(50), at(50), 0.0)),
        ((10, None, None), (at(10), at(10), at(10), 0.0)),
        ((None, None, None), (None, None, None, None)),
    ],
)
def test_times(ends: tuple[int | None, ...], expected: tuple[Any, ...]) -> None:
    assert picked(failures(*in_turn("failed failed succeeded", *ends)), TIMES) == [expected]
    # the last success is the latest time, not that of the last run
    found = failures(*in_turn("succeeded succeeded failed", *ends))
    assert picked(found, "last_succeeded_at") == [(max(expected[:2]) if expected[0] else None,)]


# A run without a start can have a finish. The last failed outcome has the time of its own run.
def test_a_start_without_a_time() -> None:
    runs = (ran("1"), ran("2", None, 9), ran("3", None, 5), ran("4", None, 3))
    rows = [logged(number, "a", "added", "failed") for number in "123"]
    assert picked(failures_in(seen(*rows, runs=runs)), TIMES) == [(None, at(5), None, None)]
    found = failures_in(seen(*rows, logged("4", "a"), runs=runs))
    assert picked(found, TIMES) == [(None, at(5), at(5), None)]


# The end of a replacing run is that of its last batch, or else its `order_at`.
@pytest.mark.parametrize(("ends", "ended_at"), [((5, 3), at(5)), ((None, None), at(2))])
def test_the_time_of_a_replacing_run(ends: tuple[int | None, ...], ended_at: datetime) -> None:
    rows = [row("m", "mirror", "succeeded", started=2, ended=end) for end in ends]
    files = (*log("1 a upsert rejected"), batch("2", *rows))
    found = failures(*files, metadata={"2": {"sync_run_status": "succeeded"}})
    assert picked(found, "ended_by ended_at") == [("replaced", ended_at)]


# Settled runs after the last failed outcome, also one that aborted. Mirror runs settle by time.
def test_runs_without_attempt() -> None:
    files = log("1 a upsert rejected, 2 a upsert rejected, 3 z upsert succeeded")
    files += log("4 a upsert aborted, 80 z mirror aborted, 90 z upsert succeeded")
    for minute, count in ((100, 2), (145, 3), (200, 4)):
        found = failures(*files, as_of=at(minute))
        assert picked(found, "runs_without_attempt hours_open") == [(count, 89 / 60)]
    assert picked(failures(*files, sent("95", 95, "a")), "runs_without_attempt") == [(None,)]


# Payloads are compared as text, with that of the last failed outcome. Without any, nobody knows.
@pytest.mark.parametrize(
    ("payload", "new_payload", "is_changed"),
    [
        *[('{"x":1}', '{"x":1}', False), ('{"x":1}', '{"x": 1}', True), (None, None, None)],
        *[(None, "", True), ("{}", None, True), ("first", "other", True)],
    ],
)
def test_payload_changed(
    payload: str | None, new_payload: str | None, is_changed: bool | None
) -> None:
    files = [
        batch(run, row("a", "upsert", "rejected", payload=one, ended=int(run)))
        for run, one in (("1", "first"), ("2", payload))
    ]
    (found,) = failures(*files, sent("3", 3, "a", payload=new_payload))
    assert found["payload_changed"] is is_changed
    for text in ("3 a delete succeeded", "3 m mirror succeeded", "3 a upsert aborted"):
        assert picked(failures(*files, *log(text)), "payload_changed") == [(None,)]


# A snapshot without a record that is in ends its period. Of one that is not in, it says nothing.
def test_a_snapshot_without_the_record() -> None:
    steps = (
        step(held("a"), held("z")),
        step(held("a", "changed", "failed"), held("b", "added", "failed"), runs=(RUN_1, RUN_2)),
        step(held("z", "changed"), runs=(RUN_1, RUN_2, RUN_3)),
    )
    columns = "row_id ended_by ended_sync_run_id ended_at payload_changed runs_without_attempt"
    assert picked(failures_in(seen_in("o", steps)), columns) == [
        ("a", "replaced", "3", at(25), None, None),
        ("b", None, None, None, None, 1),
    ]


# Pruned runs still count. A purged record has no periods, also of pruned runs.
def test_pruned_and_purged() -> None:
    files = log("1 a upsert rejected, 1 b upsert rejected, 2 b upsert rejected")
    pruned = built(*files).after_prune(before(2))
    counts = picked(pruned.answers()["record_failures"], "row_id failed_run_count")
    assert counts == [("a", 1), ("b", 2)]
    purged = pruned.after_purge(Purge("o", "b")).built()
    assert picked(purged.answers()["record_failures"], "row_id") == [("a",)]


# Of the open failures: of a reason, those of the records that are open with it, whatever reason
# they began with.
def test_failing_since() -> None:
    files = [batch("1", failed("a", "x", 1), failed("b", "y", 2))]
    files.append(batch("5", *[failed(one, "y", 5) for one in "abc"]))
    for more, of_y, of_sync in (
        ((), at(1), at(1)),
        ((sent("6", 6, "a"),), at(2), at(2)),
        # the failure goes on, but the record is not open with the reason
        ((batch("6", row("a", "upsert", "aborted", ended=6)),), at(2), at(1)),
        ((sent("6", 6, "a", "b", "c"),), None, None),
        # a period of its own
        ((sent("6", 6, "a", "b", "c"), batch("7", failed("a", "y", 7))), at(7), at(7)),
    ):
        found = answers(*files, *more)
        assert by(found["errors_by_sync"], "failure_reason", "failing_since_at") == {
            **{"x": (None,), "y": (of_y,)}
        }
        assert picked(found["sync_statistics"], "failing_since_at") == [(of_sync,)]
    history = by(found["record_history"], "row_id", "failure_count failing_since_at")
    assert history == {"a": (2, at(7)), "b": (1, None), "c": (1, None)}
    # records without a failure, and a failure without a known start
    found = answers(sent("1", None, "z"), batch("2", row("a", "upsert", "rejected")))
    history = by(found["record_history"], "row_id", "failure_count failing_since_at")
    assert history == {"a": (1, None), "z": (0, None)}
    assert picked(found["sync_statistics"], "failing_since_at") == [(None,)]


# The median of what succeeded in the end; nothing else is a repair.
@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ("", None),
        ("60 a upsert succeeded", 1.0),
        ("60 a upsert succeeded, 90 b upsert succeeded", 1.25),
        ("60 a upsert succeeded, 90 b upsert succeeded, 120 c upsert succeeded", 1.5),
        # removed, replaced, still open
        ("60 a upsert succeeded, 90 b delete succeeded", 1.0),
        ("60 a delete succeeded, 90 m mirror succeeded", None),
        # each period of a record counts
        ("60 a upsert succeeded, 61 a upsert rejected, 241 a upsert succeeded", 2.0),
    ],
)
def test_hours_to_repair(ends: str, expected: float | None) -> None:
    files = log("0 a upsert rejected, 0 b upsert rejected, 0 c upsert rejected")
    found = answers(*files, *(log(ends) if ends else []))["sync_statistics"]
    assert picked(found, "median_hours_to_repair") == [(expected,)]


# The mean of two whole numbers of microseconds, here 0 and 1, is not rounded.
def test_half_a_microsecond() -> None:
    files = log("1 a upsert rejected, 1 b upsert rejected")
    soon = row("a", "upsert", "succeeded", ended=1)
    later = replace(soon, identifier="b", batch_ended_at=at(1) + timedelta(microseconds=1))
    (found,) = answers(*files, batch("2", soon, later))["sync_statistics"]
    assert found["median_hours_to_repair"] == 0.5 / 3_600_000_000


# A repair without a known start has no time.
def test_repairs_without_a_time() -> None:
    found = answers(*in_turn("failed succeeded", None, None))["sync_statistics"]
    assert picked(found, "median_hours_to_repair") == [(None,)]
    runs = (ran("1"), ran("2", None, 9), ran("3", 20, 26), ran("4", 80, 86))
    rows = [logged("1", "a", "added", "failed"), logged("2", "a")]
    rows += [logged("3", "b", "added", "failed"), logged("4", "b")]
    (sync,) = syncs_in(seen(*rows, runs=runs))
    assert sync_statistics(facts_of(sync))["median_hours_to_repair"] == 1.0


# The statistics have them also if the changelog is not kept; purged records do not count.
def test_statistics_without_a_changelog() -> None:
    files = log("0 a upsert rejected, 0 b upsert rejected, 30 b upsert succeeded")
    whole = kept(*files, keep_changelog=False)
    columns = "failing_since_at median_hours_to_repair"
    assert picked(whole.answers()["sync_statistics"], columns) == [(at(0), 0.5)]
    for identifier, expected in (("a", (None, 0.5)), ("b", (at(0), None))):
        purged = whole.after_purge(Purge("o", identifier)).built()
        assert picked(purged.answers()["sync_statistics"], columns) == [expected]
