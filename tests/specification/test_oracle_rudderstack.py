"""Rows and runs of RudderStack's sync logs: expected values worked out by hand."""

import pytest

from oracle.building import at
from oracle.building_sync_logs import rudderstack_runs, synced, syncs_of
from oracle.rows import Row
from oracle.semantics import tables_of
from specification.small_lake_answers import Tables, column, picked

AS_OF = at(10_000)


def tables(*steps: list[Row]) -> Tables:
    return tables_of(syncs_of(rudderstack_runs(*steps), AS_OF))


# Every column of a row, with ids as texts. There is no payload, and no time of a batch.
def test_a_row() -> None:
    row = synced(7, 1, " Insert", "FAILED", started=1, finished=9, error_reason="no")
    found = tables([row | {"connection_id": 12, "unknown": 3, "record_payload": "{}"}])
    source = {"payload_kind": None, "source_name": "x", "vendor": "rudderstack"}
    run = {"organization_id": "o", "sync_id": "12", "sync_run_id": "7"}
    assert found["sync_records"] == [
        {
            **run,
            **{"identifier": "1", "display_status": "Rejected", "status_message": "no"},
            **{"record_payload": None, "operation": " Insert", "batch_started_at": None},
            **{"batch_ended_at": None, "record_status": "failed", "file_name": "sync_log"},
            **{"row_index": 0, "batch_type": None, "batch_number": None, **source},
        }
    ]
    (sent,) = found["sync_log"]
    names = ("source_id", "source_object_id", "destination_id", "destination_object_id")
    assert {sent[name] for name in (*names, "batch_completed_at", "record_payload")} == {None}
    assert picked(found["sync_changelog"], "op_type status failed_reason attempted_at") == [
        ("added", "failed", "no", at(9))
    ]
    (ran,) = found["sync_runs"]
    assert (ran["started_at"], ran["finished_at"], ran["order_at"]) == (at(1), at(9), at(1))
    null = ("reported_status", "error", "primary_key", "destination", "model_name", "model_id")
    assert {ran[name] for name in null} == {None}


# Rows without an id of their connection or run are not read.
def test_rows_that_are_not_read() -> None:
    found = tables([synced("1"), synced("2", connection_id=None), synced(None)])
    assert column(found["sync_runs"], "sync_run_id") == ["1"]


# The key has the operation as logged, and null is a key like others.
def test_keys() -> None:
    rows = [
        *(synced("1", "a", "insert"), synced("1", "a", "update"), synced("1", "a", "Update")),
        *(synced("1", None, None), synced("1", None, None), synced("1", None, "delete")),
        *(synced("1", "", None), synced("2", "a", "insert"), synced("2", "a", "insert", "failed")),
    ]
    found = [(row["sync_run_id"], row["identifier"]) for row in tables(rows)["sync_records"]]
    assert sorted(found, key=str) == [
        *[("1", ""), ("1", "a"), ("1", "a"), ("1", "a"), ("1", None), ("1", None), ("2", "a")]
    ]


# Each of these goes before the next one, whatever the order in the table.
def test_one_row_per_key() -> None:
    ranked = [
        synced("1", status="succeeded", error_reason="z"),
        synced("1", status="failed", error_reason=""),
        synced("1", status="failed", error_reason="b"),
        synced("1", status="failed"),
        synced("1", status="aborted", error_reason="a"),
        synced("1", status="pending", error_reason="a"),
        synced("1", status="skipped", error_reason="a"),
        synced("1", status=None, error_reason="a"),
    ]
    for number, first in enumerate(ranked):
        kept = rudderstack_runs([first])["1"].attempts
        assert rudderstack_runs(ranked[number:])["1"].attempts == kept
        assert rudderstack_runs([*ranked[number:][::-1], first])["1"].attempts == kept


# What the table has now replaces what was there, and what is gone stays.
def test_what_stays() -> None:
    first = [synced("1", "a"), synced("1", "b"), synced("2", "a", "update", "failed")]
    second = [synced("1", "a", status="failed"), synced("3", "a", "delete")]
    both: list[list[list[Row]]] = [[first, second], [first, second, []]]
    for steps in both:
        found = tables(*steps)["sync_changelog"]
        assert [(row["sync_run_id"], row["row_id"], row["status"]) for row in found] == [
            *[("1", "a", "failed"), ("1", "b", "succeeded")],
            *[("2", "a", "failed"), ("3", "a", "succeeded")],
        ]


# Rows have the last end of their run as their time, or else its last start, or none.
@pytest.mark.parametrize(
    ("times", "attempted_at"),
    [
        ([(1, 9), (1, 7)], at(9)),
        ([(1, None), (1, 7)], at(7)),
        ([(1, None), (3, None)], at(3)),
        ([(None, None), (None, None)], None),
    ],
)
def test_times(times: list[tuple[int | None, int | None]], attempted_at: object) -> None:
    rows = [
        synced("1", key, started=started, finished=finished)
        for key, (started, finished) in zip("ab", times, strict=True)
    ]
    found = tables(rows)
    assert column(found["sync_changelog"], "attempted_at") == [attempted_at] * 2
    assert column(found["audience_memberships"], "entered_at") == [attempted_at] * 2


# The times of a run are those that the table had when the run was last read.
def test_a_run_that_ends() -> None:
    going_on, over = synced("1", "a", started=1), synced("1", "b", started=1, finished=5)
    assert column(tables([going_on])["sync_runs"], "finished_at") == [None]
    for steps in ([[going_on], [going_on, over]], [[going_on, over], []]):
        (run,) = tables(*steps)["sync_runs"]
        assert (run["finished_at"], run["status"]) == (at(5), "succeeded")
    assert column(tables([going_on, over], [going_on])["sync_runs"], "finished_at") == [None]


# Runs are in the order of their starts, nulls last, then of their numbers.
def test_order_of_runs() -> None:
    rows = [
        *(synced("a", started=5), synced("10", started=5, finished=6), synced("2", finished=1)),
        *(synced("9", started=5, finished=99), synced("100", started=4, finished=200)),
    ]
    found = tables(rows)["sync_runs"]
    assert column(found, "sync_run_id") == ["100", "9", "10", "a", "2"]


# A run is settled if its end is reported, or if there is a later one.
@pytest.mark.parametrize(("finished", "status"), [(None, None), (20, "succeeded")])
def test_settled_runs(finished: int | None, status: str | None) -> None:
    rows = [synced("1", started=1), synced("2", started=2, finished=finished)]
    assert column(tables(rows)["sync_runs"], "status") == ["succeeded", status]


# The operation and earlier runs give op_type, and a record that is deleted first was in before.
def test_op_types() -> None:
    rows = [
        *(synced("1", "a", "insert", started=1), synced("1", "b", "update", started=1)),
        *(synced("2", "a", "update", started=2), synced("2", "b", "delete", started=2)),
        *(synced("3", "c", "delete", started=3), synced("3", "d", "sync", started=3)),
    ]
    found = tables(rows)
    assert [(row["row_id"], row["op_type"]) for row in found["sync_changelog"]] == [
        *[("a", "added"), ("b", "added"), ("a", "changed"), ("b", "removed")],
        *[("c", "removed"), ("d", "added")],
    ]
    observed = {row["row_id"]: row["entry_observed"] for row in found["audience_memberships"]}
    assert observed == {"a": False, "b": False, "c": False}
    assert found["sync_changelog"][-1]["failed_reason"] == "Unrecognised operation: sync"
