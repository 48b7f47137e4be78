"""Rows and runs of a Hightouch source: expected values worked out by hand."""

from datetime import datetime
from typing import Any

import pytest

from oracle.building import at
from oracle.building_hightouch import logged, ran, seen, syncs_in
from oracle.hightouch import merge
from oracle.rows import Row
from oracle.semantics import tables_of
from oracle.vocabulary import map_reported_op_type
from specification.small_lake_answers import Tables, column, intervals, picked

HIGHTOUCH = {"source_name": "hightouch", "vendor": "hightouch"}
MODEL_ROW = {"payload_kind": "model_row", **HIGHTOUCH}


def tables(*rows: Row, runs: tuple[Row, ...] = ()) -> Tables:
    return tables_of(syncs_in(seen(*rows, runs=runs)))


# A run before the others, so that entries of later runs are observed.
RUN_0 = (logged("0", "z", "added"), ran("0", 0, 5))


# Words are trimmed and lower-cased. Only the three documented words are kept as reported.
@pytest.mark.parametrize(
    ("raw", "operation", "reported"),
    [
        *[("added", "upsert", "added"), (" Changed\n", "upsert", "changed")],
        *[("REMOVED", "delete", "removed"), ("unchanged", "unknown", None)],
        *[("", "unknown", None), (None, "unknown", None), ("delete", "delete", None)],
    ],
)
def test_op_types(raw: str | None, operation: str, reported: str | None) -> None:
    assert map_reported_op_type(raw) == (operation, reported)


# Every column of a row, from the changelog alone.
def test_a_row_of_the_changelog() -> None:
    row = logged(
        7, 1, " Changed", "FAILED", failure_reason="no", fields='{"x": 1}', split_group="g"
    )
    found = tables(row | {"sync_id": 12, "unknown": 3})
    (record,) = found["sync_records"]
    assert record == {
        **{"organization_id": "o", "sync_id": "12", "sync_run_id": "7", "identifier": "1"},
        **{"display_status": "Rejected", "status_message": "no", "record_payload": '{"x": 1}'},
        **{"operation": " Changed", "batch_started_at": None, "batch_ended_at": None},
        **{"record_status": "failed", "file_name": "sync_changelog", "row_index": 0},
        **{"batch_type": None, "batch_number": None, **MODEL_ROW},
    }
    columns = "operation status batch_completed_at"
    assert picked(found["sync_log"], columns) == [(" Changed", "rejected", None)]
    (entry,) = found["sync_changelog"]
    assert entry == {
        **{"organization_id": "o", "sync_id": "12", "sync_run_id": "7", "op_type": "changed"},
        **{"row_id": "1", "status": "failed", "failed_reason": "no", "failure_reason": "no"},
        **{"fields": '{"x": 1}', "split_group": "g"},
        **{"file_name": "sync_changelog", "row_index": 0, "attempted_at": None, **MODEL_ROW},
    }
    (last,) = found["sync_snapshot"]
    assert last == {
        **{"organization_id": "o", "sync_id": "12", "op_type": "changed", "row_id": "1"},
        **{"status": "failed", "failed_reason": "no", "failure_reason": "no"},
        **{"fields": '{"x": 1}', "split_group": "g", "is_delivered": True},
        **{"last_sync_run_id": "7", "last_attempted_at": None, **MODEL_ROW},
    }


# Every column of a run, from both tables. What the vendor counts goes first; null is not a count.
def test_a_run() -> None:
    rows = [
        *(logged("1", "a", "added"), logged("1", "b", "added", "aborted")),
        *(logged("1", "c", "changed", "failed"), logged("1", None, "removed", None)),
    ]
    counts = {"num_planned_add": 9, "num_succeeded_add": None, "num_failed_remove": 0}
    facts = {
        **{"primary_key": "email", "destination": "crm", "model_name": "M", "model_id": 3},
        **{"status": "Cancelled", "error": "e"},
    }
    (found,) = tables(*rows, runs=(ran("1", 1, 9, **facts, **counts),))["sync_runs"]
    assert found == {
        **{"organization_id": "o", "sync_id": "s", "sync_run_id": "1"},
        **{"primary_key": "email", "destination": "crm", "model_name": "M", "model_id": "3"},
        **{"status": "failed", "error": "e", "started_at": at(1), "finished_at": at(9)},
        **{"num_planned_add": 9, "num_planned_change": 1, "num_planned_remove": 1},
        **{"num_attempted_add": 1, "num_attempted_change": 1, "num_attempted_remove": 1},
        **{"num_succeeded_add": 1, "num_succeeded_change": 0, "num_succeeded_remove": 0},
        **{"num_failed_add": 0, "num_failed_change": 1, "num_failed_remove": 0},
        **{"num_invalid_add": 0, "num_invalid_change": 0, "num_invalid_remove": 1},
        **{"reported_status": "Cancelled", "order_at": at(1), "is_log_complete": None},
        **HIGHTOUCH,
    }


# Either table is enough to show a run.
def test_runs_that_exist() -> None:
    planned = ran("2", 5, num_planned_change=4)
    found = tables(logged("1", "a", "added"), runs=(planned,))["sync_runs"]
    assert column(found, "sync_run_id") == ["2", "1"]
    assert column(found, "num_planned_add") == [0, 1]
    assert column(found, "num_planned_change") == [4, 0]
    assert column(found, "order_at") == [at(5), None]
    assert found[1]["model_name"] is None


# The reason has two names. Of both, failure_reason goes first, row by row.
def test_reasons() -> None:
    rows = [
        logged("1", "a", "added", "failed", failure_reason="x", failed_reason="y"),
        logged("1", "b", "added", "failed", failure_reason=None, failed_reason="y"),
        logged("1", "c", "added", "failed", failed_reason="y"),
        logged("1", "d", "added", "failed", failure_reason="", failed_reason="y"),
        logged("1", "e", "added", "failed"),
    ]
    assert column(tables(*rows)["sync_changelog"], "failed_reason") == ["x", "y", "y", "", None]


# Without the column there are no fields. The split group is a column, never a field.
def test_missing_columns_are_null() -> None:
    (bare, with_fields) = tables(
        logged("1", "a", "added"), logged("1", "b", "added", fields='{"split_group": "x"}')
    )["sync_changelog"]
    assert (bare["fields"], bare["split_group"]) == (None, None)
    assert with_fields["split_group"] is None


# Rows with the same key count once: by status, reason, fields. Each case has the kept row last.
@pytest.mark.parametrize(
    "values",
    [
        [("failed", None, None), ("succeeded", "x", "y")],
        [("aborted", None, None), (None, None, None), ("failed", "x", "y")],
        [("aa", "a", "a"), (None, "a", "a"), ("aborted", None, None)],
        [(None, "a", "a"), ("skipped", "a", "a"), ("pending", None, None)],
        [("failed", None, "a"), ("failed", "b", "a"), ("failed", "a", None)],
        [("failed", "a", None), ("failed", "a", "\U0001f600"), ("failed", "a", "\uffff")],
        [("failed", "a", "b"), ("failed", "", None)],
    ],
)
def test_one_row_per_key(values: list[tuple[str | None, str | None, str | None]]) -> None:
    rows = [logged("1", "a", "added", s, failure_reason=r, fields=f) for s, r, f in values]
    for given in (rows, rows[::-1]):
        (found,) = tables(*given, given[0])["sync_records"]
        assert (found["status_message"], found["record_payload"]) == values[-1][1:]
        status = {"succeeded": "succeeded", "failed": "failed", "aborted": "not_attempted"}
        assert found["record_status"] == status.get(values[-1][0] or "", "unknown")


# The key has the op_type as logged, and null and '' are keys like others.
def test_keys() -> None:
    rows = [
        *(logged("1", None, "added"), logged("1", None, "added"), logged("1", None, "removed")),
        *(logged("1", "", "added"), logged("1", "", "changed"), logged("1", "a", None)),
        *(logged("1", "a", None), logged("2", "a", None)),
    ]
    found = [(row["sync_run_id"], row["identifier"]) for row in tables(*rows)["sync_records"]]
    assert sorted(found, key=str) == [
        *[("1", ""), ("1", ""), ("1", "a"), ("1", None), ("1", None), ("2", "a")]
    ]


# Each row with a null key is a record of its own, without state, and its op_type is as reported.
def test_null_keys() -> None:
    found = tables(
        *[logged("1", None, o, s) for o, s in (("added", "failed"), ("changed", None))],
        logged("1", None, "removed"),
    )
    assert sorted((r["op_type"], r["status"]) for r in found["sync_changelog"]) == [
        *[("added", "failed"), ("changed", "failed"), ("removed", "succeeded")]
    ]
    assert found["sync_snapshot"] == found["audience_memberships"] == []


# A reported op_type is kept, in the changelog, in counts and in the snapshot. A full resync sends
# `added` again: no event.
def test_a_full_resync_makes_no_intervals() -> None:
    found = tables(
        RUN_0[0],
        *(logged("1", "a", "added"), logged("2", "a", "added")),
        runs=(RUN_0[1], ran("1", 10, 15), ran("2", 20, 25)),
    )
    assert column(found["sync_changelog"], "op_type") == ["added"] * 3
    assert column(found["sync_runs"], "num_planned_add") == [1, 1, 1]
    assert intervals(found) == [("1", at(15), True, None, None, None)]
    snapshot = {row["row_id"]: row for row in found["sync_snapshot"]}
    assert (snapshot["a"]["op_type"], snapshot["a"]["last_attempted_at"]) == ("added", at(25))
    assert (snapshot["z"]["op_type"], snapshot["z"]["last_attempted_at"]) == ("unchanged", at(5))


# For an unknown word, op_type is computed: `changed` while the record is in. Nothing is delivered.
def test_unknown_op_types() -> None:
    rows = [RUN_0[0], logged("1", "a", "added"), logged("2", "a", "sync"), logged("2", "b", None)]
    found = tables(*rows)
    assert column(found["sync_changelog"], "op_type") == ["added", "added", "changed", "added"]
    assert column(found["sync_changelog"], "failed_reason")[2:] == [
        *["Unrecognised operation: sync", "Unrecognised operation: null"]
    ]
    assert [event[0] for event in intervals(found)] == ["1"]
    assert intervals(found, "b") == []


# Late start: the first reached attempt is `changed` or `removed`, whether or not it succeeded.
@pytest.mark.parametrize(
    ("op_type", "status", "expected"),
    [
        ("changed", "succeeded", [(None, None, False, None, None, None)]),
        ("changed", "failed", [(None, None, False, None, None, None)]),
        ("removed", "failed", [(None, None, False, None, None, None)]),
        ("removed", "succeeded", [(None, None, False, "1", at(15), True)]),
        ("added", "failed", []),
        ("changed", "aborted", []),
        ("changed", "odd", []),
    ],
)
def test_late_starts(op_type: str, status: str, expected: list[tuple[Any, ...]]) -> None:
    rows = [RUN_0[0], logged("1", "a", op_type, status)]
    found = tables(*rows, runs=(RUN_0[1], ran("1", 10, 15)))
    assert intervals(found) == expected


# Not the first reached attempt: what is delivered later enters then. Aborted rows do not count.
def test_no_late_start_after_another_attempt() -> None:
    runs = (RUN_0[1], ran("1", 10, 15), ran("2", 20, 25))
    rejected = [logged("1", "a", "added", "failed"), logged("2", "a", "changed")]
    assert intervals(tables(RUN_0[0], *rejected, runs=runs)) == [
        ("2", at(25), True, None, None, None)
    ]
    removed = [logged("1", "a", "added", "failed"), logged("2", "a", "removed")]
    assert intervals(tables(RUN_0[0], *removed, runs=runs)) == []
    aborted = [logged("1", "a", "added", "aborted"), logged("2", "a", "changed", "failed")]
    found = tables(RUN_0[0], *aborted, runs=runs)
    assert intervals(found) == [(None, None, False, None, None, None)]
    assert column(found["sync_changelog"], "op_type") == ["added", "added", "changed"]


# A retry that succeeds, then removals that fail and succeed.
def test_entry_and_exit() -> None:
    found = tables(
        RUN_0[0],
        *(logged("1", "a", "added", "failed"), logged("2", "a", "added")),
        *(logged("3", "a", "removed", "failed"), logged("4", "a", "removed")),
        runs=(RUN_0[1], *[ran(str(n), 10 * n, 10 * n + 5) for n in (1, 2, 3, 4)]),
    )
    assert intervals(found) == [("2", at(25), True, "4", at(45), True)]
    assert column(found["sync_snapshot"], "row_id") == ["z"]
    # Entries in the first run on record are not observed.
    assert intervals(found, "z") == [("0", at(5), False, None, None, None)]


# Events are at the run's finish, else at its start, and never before the record's last event.
@pytest.mark.parametrize(
    ("times", "entered_at"),
    [((10, 15), at(15)), ((10, None), at(10)), ((None, 15), at(15)), ((None, None), None)],
)
def test_event_times(times: tuple[int | None, int | None], entered_at: datetime | None) -> None:
    found = tables(RUN_0[0], logged("1", "a", "added"), runs=(RUN_0[1], ran("1", *times)))
    assert [event[1] for event in intervals(found)] == [entered_at]
    attempted = {row["row_id"]: row["last_attempted_at"] for row in found["sync_snapshot"]}
    assert attempted["a"] == entered_at
    assert column(found["sync_changelog"], "attempted_at") == [at(5), entered_at]
    assert column(found["sync_records"], "batch_ended_at") == [None, None]


def test_event_times_never_go_back() -> None:
    rows = [RUN_0[0], logged("1", "a", "added"), logged("2", "a", "removed")]
    found = tables(*rows, runs=(RUN_0[1], ran("1", 10, 90), ran("2", 20, 30)))
    assert intervals(found) == [("1", at(90), True, "2", at(90), True)]


# Runs are ordered by start, nulls last, then by number, then as text; never by finish.
def test_order_of_runs() -> None:
    runs = [ran("a", 5, 99), ran("10", 5, 6), ran("9", 5, 7), ran("100", 4, 200), ran("2", None, 1)]
    found = tables(logged("1", "a", "added"), runs=tuple(runs))["sync_runs"]
    assert column(found, "sync_run_id") == ["100", "9", "10", "a", "1", "2"]


# A run is settled if its finish or a final status is reported, or if a later run exists.
def test_settled_runs() -> None:
    rows = [logged(str(n), "a", "added") for n in (1, 2)]
    assert column(tables(*rows)["sync_runs"], "status") == ["succeeded", None]
    for last, status in [
        (ran("2", 10), None),
        (ran("2", 10, status="running"), None),
        (ran("2", 10, 20), "succeeded"),
        (ran("2", 10, status=" Failed"), "failed"),
        (ran("2", 10, 20, status="odd"), "succeeded"),
    ]:
        found = tables(*rows, runs=(ran("1", 1), last))["sync_runs"]
        assert column(found, "status") == ["succeeded", status]


# Integers and texts of the same digits are the same id.
def test_ids_are_texts() -> None:
    found = tables(logged(9, 5, "added"), logged("9", "5", "added"), runs=(ran(9, model_id=4),))
    assert [(r["sync_run_id"], r["row_id"]) for r in found["sync_changelog"]] == [("9", "5")]
    assert column(found["sync_runs"], "model_id") == ["4"]


# What was seen stays. A key that comes back with other content has the newer one, even if the
# older one would count first among rows that are there together.
def test_merge() -> None:
    old = seen(
        logged("1", "a", "added", "failed"),
        *(logged("1", "b", "added"), logged("2", "c", "added")),
        runs=(ran("1", 1), ran("2", 10, 20, model_name="M")),
    )
    new = seen(
        logged("1", "a", "added", "succeeded"),
        logged("1", "b", "added", "aborted"),
        *(logged("1", "d", "added", "failed"), logged("1", "d", "added", "aborted")),
        runs=(ran("1", 1, 9),),
    )
    found = tables_of(syncs_in(merge(old, new)))
    assert [(row["row_id"], row["status"]) for row in found["sync_changelog"]] == [
        *[("a", "succeeded"), ("b", "aborted"), ("d", "failed"), ("c", "succeeded")]
    ]
    assert column(found["sync_runs"], "finished_at") == [at(9), at(20)]
    assert column(found["sync_runs"], "model_name") == [None, "M"]
    cleaned = tables_of(syncs_in(merge(merge(old, new), seen())))
    assert column(found.pop("log_coverage"), "deleted_row_count") == [0, 1]
    assert column(cleaned.pop("log_coverage"), "deleted_row_count") == [3, 1]
    assert cleaned == found


# The last name of the sync is the name of its audience, as for a lake.
def test_renamed_models() -> None:
    runs = (ran("1", 1, model_name="old"), ran("2", 2, model_name="new"), ran("3", 3))
    found = tables(logged("1", "a", "added"), runs=runs)
    assert column(found["audience_memberships"], "audience_name") == ["new"]
    assert column(found["sync_runs"], "model_name") == ["old", "new", None]


# The rules say nothing about these.
def test_refused_rows() -> None:
    with pytest.raises(ValueError, match="expected sync_id and sync_run_id"):
        seen(logged(None, "a", "added"))
    with pytest.raises(ValueError, match="expected one row per run"):
        seen(runs=(ran("1", 1), ran("1", 2)))
    assert len(seen(runs=(ran("1", 1), ran("1", 1))).runs) == 1
