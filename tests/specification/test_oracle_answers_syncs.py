"""Tables about fields, audiences, days and statistics: expected values worked out by hand."""

import json
from datetime import date, timedelta
from typing import Any

import pytest

from oracle import ANSWER_COLUMNS
from oracle.answers_fields import changes
from oracle.building import at, batch, row, sent
from oracle.json_texts import payload_fields
from oracle.lake import BatchFile
from specification.small_lake_answers import (
    DAY,
    Metadata,
    Tables,
    answers,
    by,
    deleted,
    failed,
    picked,
)


# Absent, null and a value differ from each other. Values are compared as text, whatever their
# JSON type.
@pytest.mark.parametrize(
    ("previous", "new", "expected"),
    [
        ('{"a": 1}', '{"a": 1}', []),
        ('{"a": 1, "b": 2}', '{"b":2,"a":1}', []),
        ('{"a": "1"}', '{"a": 1}', []),
        ("{}", '{"a": "x"}', [("a", "added", None, "x")]),
        ("{}", '{"a": null}', [("a", "added", None, None)]),
        ('{"a": "x"}', "{}", [("a", "dropped", "x", None)]),
        ('{"a": null}', "{}", [("a", "dropped", None, None)]),
        ('{"a": null}', '{"a": null}', []),
        ('{"a": null}', '{"a": ""}', [("a", "changed", None, "")]),
        ('{"a": "null"}', '{"a": null}', [("a", "changed", "null", None)]),
        ('{"a": "x", "b": true}', '{"a": "y", "c": 7}', "several"),
        # at least one side is not a JSON object
        (None, None, []),
        ("[1]", "[1]", []),
        ("[1]", "[1 ]", [(None, "changed", "[1]", "[1 ]")]),
        (None, '{"a": 1}', [(None, "changed", None, '{"a": 1}')]),
        ('{"a": 1}', None, [(None, "changed", '{"a": 1}', None)]),
        ("null", "{}", [(None, "changed", "null", "{}")]),
        ('{"a": 1}', '{"a": 1} x', [(None, "changed", '{"a": 1}', '{"a": 1} x')]),
    ],
)
def test_changes(previous: str | None, new: str | None, expected: object) -> None:
    if expected == "several":
        expected = [
            ("a", "changed", "x", "y"),
            ("b", "dropped", "true", None),
            ("c", "added", None, "7"),
        ]
    assert changes(previous, new) == expected


def test_the_texts_of_values() -> None:
    payload = r'{"o": {"k": [1, 2.50, null], "k": "\u00fc"}, "t": false, "n": 12345678901234567890}'
    assert payload_fields(payload) == {
        **{"o": '{"k":[1,2.5,null],"k":"\u00fc"}', "t": "false", "n": "12345678901234567890"}
    }
    assert payload_fields('{"a": 1, "a": 2, "": "x\\ny"}') == {"a": "1", "": "x\ny"}
    for other in ("", "7", '"x"', "[{}]", "{", '{"a": NaN}', '{"a": 1} 2', "[" * 100_000):
        assert payload_fields(other) is None


def logged(
    run: str, word: str, status: str, number: int | None, key: str | None = "a"
) -> BatchFile:
    payload = None if number is None else json.dumps({"n": number})
    return batch(run, row(key, word, status, payload=payload, ended=int(run)))


# Only final attempts that were reached are compared, including failed ones, but not deletes.
def test_field_changes() -> None:
    found = answers(
        logged("1", "upsert", "rejected", 1),
        logged("2", "upsert", "aborted", 2),
        logged("3", "delete", "succeeded", 3),
        logged("4", "upsert", "DUPLICATE", 4),
        logged("5", "upsert", "pending", 5),
        logged("6", "append", "succeeded", 6),
        logged("7", "upsert", "succeeded", 7),
        logged("8", "upsert", "succeeded", 7),
        logged("9", "odd", "succeeded", 9),
        logged("10", "upsert", "rejected", None),
        logged("11", "upsert", "succeeded", 11, "b"),
    )["field_changes"]
    assert picked(
        found, "previous_sync_run_id sync_run_id row_id field_name previous_value new_value"
    ) == [
        ("1", "7", "a", "n", "1", "7"),
        ("8", "9", "a", "n", "7", "9"),
        ("9", "10", "a", None, '{"n": 9}', None),
    ]
    assert picked(found, "change_type changed_at data_until_at") == [
        *[("changed", at(minute), at(11)) for minute in (7, 9, 10)]
    ]


def test_field_changes_compare_the_final_attempts_of_runs() -> None:
    def payloads(run: str, *numbers: int, key: str | None = "a", word: str = "upsert") -> BatchFile:
        rows = [
            row(key, word, "succeeded", payload=json.dumps({"n": number}), started=int(run))
            for number in numbers
        ]
        return batch(run, *rows)

    found = answers(payloads("1", 1, 2), payloads("2", 3, 2), payloads("3", 4, 5))["field_changes"]
    assert picked(found, "sync_run_id previous_value new_value changed_at") == [
        ("3", "2", "5", at(3))
    ]
    assert answers(payloads("1", 1, key=None), payloads("2", 2, key=None))["field_changes"] == []
    appended = answers(payloads("1", 1, word="append"), payloads("2", 2, word="append"))
    assert appended["field_changes"] == []
    # a record belongs to one sync
    other = batch("2", row("a", "upsert", "succeeded", payload="{}"), sync="t")
    assert answers(payloads("1", 1), other)["field_changes"] == []


# Late starts have no time and no run. Exits that a replacing run implies are not observed.
def test_audiences() -> None:
    names: Metadata = {"1": {"model_name": "Leads"}, "2": {"model_name": "Fans"}, "3": {}}
    found = answers(
        sent("1", 1, "a", "b"),
        deleted("2", 2, "a", "late"),
        batch("3", row("c", "mirror", "succeeded", ended=3)),
        metadata=names,
    )
    events = picked(found["audience_events"], "row_id event_type event_at sync_run_id is_observed")
    assert sorted(events, key=lambda event: event[:2]) == [
        ("a", "entered", at(1), "1", False),
        ("a", "left", at(2), "2", True),
        ("b", "entered", at(1), "1", False),
        ("b", "left", at(3), "3", False),
        ("c", "entered", at(3), "3", True),
        ("late", "entered", None, None, False),
        ("late", "left", at(2), "2", True),
    ]
    assert picked(found["audience_members"], "row_id audience_name entered_at") == [
        ("c", "Fans", at(3))
    ]
    assert picked(
        found["audience_members"], "entered_sync_run_id entry_observed data_until_at"
    ) == [("3", True, at(3))]
    assert picked(found["sync_statistics"], "record_count member_count") == [(4, 1)]
    for event in found["audience_events"]:
        assert (event["audience_name"], event["data_until_at"]) == ("Fans", at(3))


# The latest order_at, last batch end or reported finish of any run.
def test_data_until() -> None:
    def until(*files: BatchFile, **facts: str) -> Any:
        found = answers(*files, metadata={"1": facts})["sync_statistics"]
        return [one["data_until_at"] for one in found]

    first = batch("1", row("a", "upsert", "succeeded", started=5, ended=9))
    assert until(first) == [at(9)]
    assert until(first, sync_run_started_at="2025-03-01T00:20:00Z") == [at(20)]
    assert until(first, sync_run_finished_at="2025-03-01T00:21:00Z") == [at(21)]
    # neither the last run in the order nor the last reported finish decides
    second = batch("2", row("a", "upsert", "succeeded", started=6, ended=7))
    assert until(first, second, sync_run_finished_at="2025-03-01T00:08:00Z") == [at(9)]
    assert until(batch("1")) == [None]


def calendar(found: Tables) -> dict[tuple[str, str], list[date]]:
    days: dict[tuple[str, str], list[date]] = {}
    for one in found["sync_activity_daily"]:
        days.setdefault((one["organization_id"], one["sync_id"]), []).append(one["activity_date"])
    return days


# Up to the last day of the organisation: a silent sync has empty days, a silent lake has none.
def test_calendar() -> None:
    def on(day: int, sync: str = "s", organization: str = "o", run: str = "1") -> BatchFile:
        logged = row("a", "upsert", "succeeded", ended=day * DAY - 1)
        return batch(run, logged, sync=sync, organization=organization)

    found = answers(on(1), on(2, "t"), on(3, "t", run="2"), on(9, organization="o2"), on(5, "u"))
    days = [date(2025, 3, day) for day in range(1, 10)]
    assert calendar(found) == {
        ("o", "s"): days[:5],
        ("o", "t"): days[1:5],
        ("o", "u"): days[4:5],
        ("o2", "s"): days[8:],
    }
    assert {(one["sync_id"], one["data_until_at"]) for one in found["sync_activity_daily"][:5]} == {
        ("s", at(DAY - 1))
    }
    # order_at decides the days, and the data decides the last one: this run ended on the next day
    long = batch("1", row("a", "upsert", "succeeded", started=DAY - 1, ended=DAY))
    assert calendar(answers(long)) == {("o", "s"): days[:2]}
    undated = batch("1", row("a", "upsert", "succeeded"), sync="t")
    assert calendar(answers(on(1), undated)) == {("o", "s"): days[:1]}
    finished: Metadata = {"1": {"sync_run_finished_at": "2025-03-02T00:00:00Z"}}
    assert calendar(answers(batch("1"), metadata=finished)) == {}


# A silence of the organisation of more than 366 days has no days, and of the others at most 3,660
# have no run.
def test_calendar_with_times_at_the_edge() -> None:
    def on(*days: int, sync: str = "s") -> list[BatchFile]:
        return [
            batch(f"{day}", row("a", "upsert", "succeeded", ended=day * DAY), sync=sync)
            for day in days
        ]

    first = date(2025, 3, 1)
    whole = [first + timedelta(days=day) for day in range(367)]
    assert calendar(answers(*on(0, 366))) == {("o", "s"): whole}
    assert calendar(answers(*on(0, 367))) == {("o", "s"): [first, whole[366] + timedelta(days=1)]}
    # the other sync has data in between
    found = calendar(answers(*on(0, 367), *on(366, sync="t")))
    assert len(found["o", "s"]) == 368
    assert found["o", "t"] == found["o", "s"][366:]
    # 12 times 360 days: the first run is before the last 3,660 days, the next ones are in them
    long = calendar(answers(*on(*range(0, 12 * 360 + 1, 360))))["o", "s"]
    assert long[:2] == [first, first + timedelta(days=360)]
    assert long[2:] == [first + timedelta(days=12 * 360 - 3659 + day) for day in range(3660)]


# Entries and exits are on the day of their run, whatever their own time. Undated runs are on no
# day.
def test_activity() -> None:
    metadata: Metadata = {
        "3": {"sync_run_started_at": "2025-03-03T12:00:00Z", "sync_run_status": "failed"},
        "4": {"sync_run_started_at": "2025-03-03T13:00:00Z"},
    }
    found = answers(
        batch(
            "1",
            row("a", "upsert", "succeeded", started=0, ended=DAY),
            row("late", "delete", "succeeded", ended=1),
            row("b", "upsert", "DUPLICATE", ended=1),
        ),
        batch("2", row("b", "upsert", "aborted", ended=2), row(None, "upsert", "rejected")),
        batch("3", row("a", "upsert", "succeeded"), row("b", "append", "succeeded")),
        batch("4", row("a", "delete", "succeeded")),
        sent("5", None, "c"),
        metadata=metadata,
        as_of=at(DAY + 61),
    )
    columns = (
        "run_count succeeded_run_count failed_run_count unsettled_run_count planned_count "
        "attempted_count succeeded_count failed_count invalid_count aborted_count added_count "
        "changed_count removed_count entry_count exit_count"
    )
    assert by(found["sync_activity_daily"], "activity_date", columns) == {
        # the run with an aborted row failed; the entry of the late start belongs to no run
        date(2025, 3, 1): (2, 1, 1, 0, 5, 4, 2, 2, 1, 1, 1, 0, 1, 1, 1),
        date(2025, 3, 2): (0,) * 15,
        # run 5 settles run 4
        date(2025, 3, 3): (2, 1, 1, 0, 3, 3, 3, 0, 0, 0, 1, 1, 1, 0, 1),
    }
    (total,) = picked(found["sync_statistics"], f"{' '.join(columns.split()[:10])}")
    assert total == (5, 2, 2, 1, 9, 8, 6, 2, 1, 1)
    assert found["sync_statistics"][0]["undated_run_count"] == 1
    assert {one["data_until_at"] for one in found["sync_activity_daily"]} == {at(2 * DAY + 780)}


def test_statistics() -> None:
    metadata: Metadata = {
        "1": {"model_name": "Leads", "destination_type": "crm", "sync_run_status": "failed"},
        "2": {"destination_type": "ads", "sync_run_finished_at": "2025-03-01T00:10:30Z"},
        "3": {"sync_run_started_at": "2025-03-01T00:30:00Z", "sync_run_status": "done"},
        "4": {"sync_run_status": "cancelled"},
    }
    (found,) = answers(
        batch("1", row("a", "upsert", "succeeded", started=2, ended=5), failed("b", "x", 5)),
        # a reported finish overrides the batch end; a run starts at its earliest batch start
        batch(
            "2",
            *[row("b", "upsert", "succeeded", started=10, ended=20), failed("c", "x", 20)],
            *[row("d", "upsert", "DUPLICATE", started=9, ended=20)],
            *[row("e", "upsert", "aborted", ended=20), row(None, "upsert", "NULL", ended=20)],
        ),
        batch("3", row("a", "upsert", "succeeded", ended=40), row("f", "delete", "rejected")),
        batch("4", row("f", "upsert", "succeeded")),
        metadata=metadata,
        as_of=at(100),
    )["sync_statistics"]
    assert {column: found[column] for column in ANSWER_COLUMNS["sync_statistics"]} == {
        **{"organization_id": "o", "sync_id": "s", "model_name": "Leads", "destination": "ads"},
        **{"run_count": 4, "succeeded_run_count": 1, "failed_run_count": 3},
        **{"unsettled_run_count": 0, "incomplete_run_count": 0},
        **{"undated_run_count": 1, "too_late_run_count": 0},
        **{"first_run_at": at(2), "last_run_at": at(30), "last_succeeded_run_at": at(30)},
        **{"last_sync_run_id": "4", "last_run_status": "failed"},
        **{"planned_count": 10, "attempted_count": 9, "succeeded_count": 4, "failed_count": 5},
        **{"invalid_count": 2, "aborted_count": 1},
        **{"rejection_rate": 3 / 7, "invalid_rate": 0.2, "attempts_per_delivered_change": 7 / 4},
        # 180, 90 and 600 seconds; run 4 has no times
        "median_run_seconds": 180.0,
        # records a to f; open: c and d (b succeeded last); members: a, b and f, a late start
        **{"record_count": 6, "open_record_count": 2, "member_count": 3},
        # open: c and d; b was repaired after 15 minutes, and f at once
        **{"failing_since_at": at(20), "median_hours_to_repair": 0.125},
        **{"data_until_at": at(40), "source_name": "lake", "vendor": "census"},
    }


# Denominators of zero, the mean of the two middle values, and a run that is not settled.
def test_statistics_of_little() -> None:
    (found,) = answers(batch("1"))["sync_statistics"]
    nulls = "rejection_rate invalid_rate median_run_seconds model_name destination first_run_at"
    assert picked([found], nulls) == [(None,) * 6]
    assert picked([found], "last_run_at last_succeeded_run_at last_run_status") == [(None,) * 3]
    assert picked([found], "run_count unsettled_run_count undated_run_count") == [(1, 1, 1)]
    # an end does not replace a missing start, although the run is ordered by it
    (invalid,) = answers(batch("1", row("a", "upsert", "NULL", ended=1)))["sync_statistics"]
    assert picked([invalid], "rejection_rate invalid_rate median_run_seconds") == [
        (None, 1.0, None)
    ]
    (two,) = answers(
        batch("1", row("a", "upsert", "succeeded", started=0, ended=1)),
        batch("2", row("a", "upsert", "succeeded", started=2, ended=5)),
        batch("3", row("a", "upsert", "succeeded", started=6)),
    )["sync_statistics"]
    assert two["median_run_seconds"] == 120.0
    # run 3 has no end, so it is not settled; the last succeeded run is run 2
    assert picked([two], "last_run_at last_succeeded_run_at last_run_status") == [
        (at(6), at(2), None)
    ]
