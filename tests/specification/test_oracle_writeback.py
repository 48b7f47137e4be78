"""Rows and runs of Census Warehouse Writeback: expected values worked out by hand."""

from typing import Any

import pytest

from oracle.building import at
from oracle.building_sync_logs import sent, syncs_of, writeback_runs
from oracle.history import Attempt
from oracle.rows import Row
from oracle.semantics import tables_of
from specification.small_lake_answers import Tables, column, picked

AS_OF = at(10_000)


def tables(*rows: Row, minute: int = 10_000) -> Tables:
    return tables_of(syncs_of(writeback_runs(rows), at(minute)))


def only_attempt(*steps: list[Row]) -> Attempt:
    (run,) = writeback_runs(*steps).values()
    (attempt,) = run.attempts
    return attempt


# Every column of a row, with ids as texts.
def test_a_row() -> None:
    row = sent(7, 3, 1, " Rejected", ended=5, logged=90, status_message="no", record_payload="{}")
    ids = {"source_id": 1, "source_object_id": 2, "destination_id": 3, "destination_object_id": 4}
    found = tables(row | ids | {"sync_id": 12, "batch_started_at": at(4), "unknown": 3})
    source = {"payload_kind": "sent_record", "source_name": "x", "vendor": "census"}
    run = {"organization_id": "o", "sync_id": "12", "sync_run_id": "7"}
    assert found["sync_records"] == [
        {
            **run,
            **{"identifier": "1", "display_status": "Rejected", "status_message": "no"},
            **{"record_payload": "{}", "operation": "upsert", "batch_started_at": at(4)},
            **{"batch_ended_at": at(5), "record_status": "failed", "file_name": "sync_log"},
            **{"row_index": 0, "batch_type": None, "batch_number": None, **source},
        }
    ]
    assert found["sync_log"] == [
        {
            **run,
            **{"record_identifier": "1", "record_payload": "{}", "batch_started_at": at(4)},
            **{"batch_completed_at": at(5), "operation": "upsert", "status": "rejected"},
            **{"status_message": "no", "destination_id": "3", "destination_object_id": "4"},
            **{"source_id": "1", "source_object_id": "2", **source},
        }
    ]
    assert picked(found["sync_changelog"], "op_type status failed_reason attempted_at") == [
        ("added", "failed", "no", at(5))
    ]
    attempt = only_attempt([row])
    assert (attempt.log_id, attempt.logged_at) == ("3", at(90))


# Only the first needed columns are there.
def test_missing_columns_are_null() -> None:
    (found,) = tables({**_needed(), "log_id": "l"})["sync_records"]
    missing = ("record_payload", "status_message", "batch_started_at", "batch_ended_at")
    assert {found[name] for name in missing} == {None}
    assert only_attempt([_needed()]).logged_at is None


def _needed() -> Row:
    needed = ("log_id", "sync_id", "sync_run_id", "record_identifier", "operation", "status")
    return {name: value for name, value in sent("1", "l").items() if name in needed}


# Texts are times, and a time without a zone is UTC.
@pytest.mark.parametrize("text", ["2025-03-01T00:05:00Z", "2025-03-01 00:05:00"])
def test_times_as_texts(text: str) -> None:
    attempt = only_attempt([sent("1", "l") | {"batch_completed_at": text}])
    assert attempt.row.batch_ended_at == at(5)


# Rows without an id of their sync or run are not read, and show no run.
def test_rows_that_are_not_read() -> None:
    found = tables(sent("1", "l"), sent("2", "l", sync_id=None), sent(None, "l"))
    assert column(found["sync_records"], "sync_run_id") == ["1"]
    assert column(found["sync_runs"], "sync_run_id") == ["1"]


# Each of these goes before the next one, whatever the order in the table.
def test_one_row_per_key() -> None:
    ranked = [
        sent("1", "l", "a", "rejected", logged=9),
        sent("1", "l", "a", "succeeded", logged=8, status_message="z"),
        sent("1", "l", "a", "failed", logged=8, status_message="a", record_payload="z"),
        sent("1", "l", "a", "failed", logged=8, status_message="b", record_payload="a"),
        sent("1", "l", "a", "failed", logged=8, status_message="b", record_payload="b"),
        sent("1", "l", "a", "failed", logged=8, status_message="b"),
        sent("1", "l", "a", "failed", logged=8),
        sent("1", "l", "a", "rejected", logged=8),
        sent("1", "l", "a", "aborted", logged=8),
        sent("1", "l", "a", None, logged=7),
    ]
    for number, first in enumerate(ranked):
        kept = only_attempt(ranked[number:])
        assert kept == only_attempt([first])
        assert kept == only_attempt([*ranked[number:][::-1], first])


# The run is part of the key; the identifier is not.
def test_keys() -> None:
    rows = [sent("1", "l"), sent("1", "m"), sent("2", "l"), sent("2", "l", "b", "failed")]
    found = tables(*rows)["sync_records"]
    assert [(row["sync_run_id"], row["identifier"]) for row in found] == [
        *[("1", "a"), ("1", "a"), ("2", "a")]
    ]


# What the table has now goes first, even if it was logged earlier. What is gone stays.
def test_what_stays() -> None:
    first = [sent("1", "l", "a", "failed", logged=9), sent("1", "m", "b", logged=9), sent("2", "l")]
    second = [sent("1", "l", "a", "aborted", logged=5), sent("3", "l")]
    both: list[list[list[Row]]] = [[first, second], [first, second, []]]
    for steps in both:
        runs = writeback_runs(*steps)
        assert {name: len(run.attempts) for name, run in runs.items()} == {"1": 2, "2": 1, "3": 1}
        assert runs["1"].attempts[0].record_status == "not_attempted"


# The facts of a run are those of all rows that the table had when the run was last read.
def test_ids() -> None:
    first = [sent("1", "l", source_id="1"), sent("1", "m", source_id="3", destination_id=4)]
    runs = writeback_runs(first)
    assert (runs["1"].metadata.source_id, runs["1"].metadata.destination_id) == ("3", "4")
    gone = writeback_runs(first, [first[0]])
    assert (gone["1"].metadata.source_id, gone["1"].metadata.destination_id) == ("1", None)
    assert writeback_runs(first, [])["1"].metadata == runs["1"].metadata


# Rows of a run are in the order of their batches. The time of logging orders nothing.
def test_order_of_rows() -> None:
    rows = [
        sent("1", "l1", "a", "rejected", ended=3, logged=99),
        sent("1", "l2", "a", "succeeded", ended=7, logged=50),
        sent("1", "l3", "b", "rejected", ended=3),
        sent("1", "l4", "b", "succeeded", ended=None),
    ]
    found = {row["row_id"]: row["status"] for row in tables(*rows)["sync_changelog"]}
    assert found == {"a": "succeeded", "b": "failed"}
    # `b` was accepted before it was rejected
    assert column(tables(*rows)["audience_memberships"], "row_id") == ["b", "a"]


# Runs are in the order of their first batch, then of their number. A run ends with its last batch.
def test_order_of_runs() -> None:
    rows = [
        *(sent("9", "l", ended=8), sent("10", "l", ended=8), sent("7", "l")),
        *(sent("2", "l", ended=9, batch_started_at=at(1)), sent("2", "m", ended=20)),
    ]
    found = tables(*rows)["sync_runs"]
    assert column(found, "sync_run_id") == ["2", "9", "10", "7"]
    assert column(found, "order_at") == [at(1), at(8), at(8), None]
    assert column(found, "finished_at") == [at(20), at(8), at(8), None]
    assert set(column(found, "started_at")) == set(column(found, "reported_status")) == {None}


# A run is settled an hour after its last batch, or if there is a later one.
@pytest.mark.parametrize(
    ("minute", "statuses"), [(60, ["succeeded", None]), (81, ["succeeded"] * 2)]
)
def test_settled_runs(minute: int, statuses: list[str | None]) -> None:
    found = tables(sent("1", "l", ended=15), sent("2", "l", ended=20), minute=minute)
    assert column(found["sync_runs"], "status") == statuses


# The operation and earlier runs give op_type. A record that is deleted first was in before.
def test_op_types() -> None:
    rows = [
        sent("1", "l", "a", ended=1),
        sent("2", "l", "a", ended=100),
        sent("2", "m", "b", operation="insert", ended=100),
        sent("3", "l", "a", operation=" Deleted", ended=200),
        sent("3", "m", "c", operation="delete", ended=200),
        sent("3", "n", "d", operation="merge", ended=200),
    ]
    found = tables(*rows)["sync_changelog"]
    assert [
        (row["sync_run_id"], row["row_id"], row["op_type"], row["status"]) for row in found
    ] == [
        *[("1", "a", "added", "succeeded"), ("2", "a", "changed", "succeeded")],
        *[("2", "b", "added", "succeeded"), ("3", "a", "removed", "succeeded")],
        *[("3", "c", "removed", "succeeded"), ("3", "d", "added", "failed")],
    ]


# A mirror run replaces the object if it is settled and nothing was aborted. A later run does not
# settle it: without the end of a batch it never is.
@pytest.mark.parametrize(
    ("more", "members"),
    [
        ({"ended": 100}, ["b"]),
        ({"ended": 9_980}, ["a", "b"]),
        ({"ended": None, "batch_started_at": at(90)}, ["a", "b"]),
    ],
)
def test_mirror_runs(more: dict[str, Any], members: list[str]) -> None:
    rows = [sent("1", "l", "a", ended=1), sent("2", "l", "b", operation="mirror", **more)]
    assert _members(rows) == members
    aborted = sent("2", "m", "c", "aborted", operation="mirror", ended=100)
    assert _members([*rows, aborted]) == ["a", "b"]
    later = sent("3", "l", "c", ended=9_999)
    assert _members([*rows, later]) == [*members, "c"]


def _members(rows: list[Row]) -> list[str]:
    found = tables(*rows)["audience_memberships"]
    return sorted(row["row_id"] for row in found if row["exit_observed"] is None)


# A null key is a record of its own.
def test_null_keys() -> None:
    found = tables(sent("1", "l", None, None), sent("1", "m", None, "succeeded", ended=3))
    assert column(found["sync_changelog"], "status") == ["failed", "succeeded"]
    assert found["sync_snapshot"] == found["audience_memberships"] == []


# Rows that the table no longer has are counted, and so are rows of a key that is there already.
def test_deleted_and_doubled_rows() -> None:
    rows = [sent("1", "l"), sent("1", "l", "b"), sent("1", "m"), sent("2", "l"), sent("2", "l")]
    steps = [rows, [rows[0], sent("3", "l")], []]
    counts = [[(2, 0, 1), (1, 0, 1)], [(2, 1, 0), (1, 1, 1), (1, 0, 0)]]
    counts.append([(2, 2, 0), (1, 1, 1), (1, 1, 0)])
    for number, expected in enumerate(counts, start=1):
        tables = tables_of(syncs_of(writeback_runs(*steps[:number]), AS_OF))["log_coverage"]
        names = ("stored_row_count", "deleted_row_count", "duplicate_row_count")
        assert [tuple(row[name] for name in names) for row in tables] == expected
        assert {(row["reported_planned_count"], row["issue"]) for row in tables} == {(None, None)}
