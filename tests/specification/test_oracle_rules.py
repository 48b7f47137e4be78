"""Vocabulary, order, outcomes and reasons: expected values worked out by hand."""

from typing import Any

import pytest

from oracle.building import at, batch, lake_of, row, unreadable
from oracle.history import batch_of
from oracle.lake import BatchFile, FactRow, Lake, LoggedRow, merge
from oracle.metadata import read_metadata, read_time, split_group
from oracle.semantics import compute
from oracle.vocabulary import map_operation, map_status
from specification.small_lake_answers import column, picked

AS_OF = at(10_000)


def table(name: str, *files: BatchFile, metadata: dict[str, object] | None = None) -> Any:
    return compute(lake_of(*files, metadata=metadata), AS_OF)[name]


# Words (R1) are trimmed and lower-cased. `added` and `changed` are not operations.
@pytest.mark.parametrize(
    ("raw", "operation"),
    [
        *[(" CREATED\n", "insert"), ("Add", "insert"), ("change", "update")],
        *[("removed", "delete"), ("\tMirror", "mirror")],
        *[("added", "unknown"), ("changed", "unknown"), (None, "unknown")],
    ],
)
def test_operations(raw: str | None, operation: str) -> None:
    assert map_operation(raw) == operation


# Words (R1, R2).
@pytest.mark.parametrize(
    ("raw", "identifier", "status"),
    [
        (" Succeeded ", "a", "succeeded"),
        ("REJECTED", "a", "failed"),
        ("null", "a", "invalid_null_key"),
        (None, None, "invalid_null_key"),
        (None, "a", "unknown"),
        ("Duplicate", None, "invalid_duplicate_key"),
        ("not_attempted", "a", "not_attempted"),
        ("success", "a", "unknown"),
        ("", None, "unknown"),
    ],
)
def test_statuses(raw: str | None, identifier: str | None, status: str) -> None:
    assert map_status(raw, identifier) == status


# Batch numbers (R18).
def test_batch_numbers() -> None:
    assert batch_of("records_updated.10.parquet") == ("records_updated", 10)
    assert batch_of("a.b.007.parquet") == ("a.b", 7)
    assert batch_of("records.parquet") == ("records", None)
    assert batch_of("a.b.parquet") == ("a.b", None)


# Order of runs: numbers (at most decimal(38,0)) come before texts, by value, then as text.
def test_runs_of_equal_time_are_ordered_by_number_then_text() -> None:
    ids = ["run-b", "9" * 39, "10", "9", "09", "9" * 38]
    files = [batch(run, row("a", "upsert", "rejected", started=0)) for run in ids]
    found = column(table("sync_runs", *files), "sync_run_id")
    assert found == ["09", "9", "10", "9" * 38, "9" * 39, "run-b"]


# Order of runs: by reported start, or else first batch start, or else first batch end; nulls last.
def test_runs_are_ordered_by_their_first_known_time() -> None:
    files = [
        batch("1", row("a", "upsert", "rejected")),
        batch("2", *[row("a", "upsert", "rejected", started=one, ended=1) for one in (40, 30)]),
        batch(
            "3",
            *[row("a", "upsert", "rejected", ended=one) for one in (25, 20)],
            row("a", "upsert", "DUPLICATE"),
        ),
        batch("4", row("a", "upsert", "rejected", started=99)),
    ]
    rows = table(
        "sync_runs", *files, metadata={"4": {"syncRunStartedAt": "2025-03-01T01:10:00+01:00"}}
    )
    assert column(rows, "sync_run_id") == ["4", "3", "2", "1"]
    assert column(rows, "order_at") == [at(10), at(20), at(30), None]


# Order of attempts: by end (nulls first), number (nulls first), name, position.
def test_the_last_attempt_decides() -> None:
    def final_message(*files: BatchFile) -> Any:
        return table("sync_changelog", *files)[0]["failed_reason"]

    def failed(message: str, ended: int | None) -> LoggedRow:
        return row("a", "upsert", "rejected", message=message, ended=ended)

    early, late, untimed = failed("early", 1), failed("late", 2), failed("untimed", None)
    assert final_message(batch("1", late, name="b.1"), batch("1", early, name="b.2")) == "late"
    assert final_message(batch("1", early, untimed)) == "early"
    assert (
        final_message(
            batch("1", failed("ten", 1), name="b.10"), batch("1", failed("nine", 1), name="b.9")
        )
        == "ten"
    )
    assert final_message(batch("1", early, name="b.0"), batch("1", untimed, name="b")) == "early"
    assert (
        final_message(
            batch("1", failed("c", 1), name="c.1"), batch("1", failed("b", 1), name="b.1")
        )
        == "c"
    )


# Final attempt: reached > not_attempted > unknown > invalid. The changelog also has invalid rows.
def test_the_best_rank_is_final() -> None:
    rows = [row("a", "upsert", s) for s in ("rejected", "aborted", "odd", "DUPLICATE")]
    assert column(table("sync_changelog", batch("1", *rows)), "row_index") == [3, 0]
    assert column(table("sync_changelog", batch("1", *rows[1:])), "row_index") == [2, 0]
    assert column(table("sync_changelog", batch("1", *rows[2:])), "row_index") == [1, 0]
    assert column(table("sync_changelog", batch("1", *rows[3:])), "row_index") == [0]


# Final attempt: each row with a null key and each append row is a record of its own.
def test_null_keys_and_append_rows_are_records_of_their_own() -> None:
    rows = [row(None, "upsert", "succeeded")] * 2 + [row("a", "append", "succeeded")] * 2
    changelog = table("sync_changelog", batch("1", *rows, row("a", "upsert", "succeeded")))
    assert sorted(column(changelog, "row_index")) == [0, 1, 2, 3, 4]
    assert set(column(changelog, "op_type")) == {"added"}


# Identifiers are compared byte for byte.
def test_identifiers_are_never_trimmed_or_folded() -> None:
    keys = ["", "NULL", " lead", "lead", "a", "A", "e\u0301", "\u00e9"]
    rows = [row(key, "upsert", "succeeded") for key in keys]
    assert column(table("sync_snapshot", batch("1", *rows)), "row_id") == keys


# The changelog (R3, R4).
@pytest.mark.parametrize(
    ("logged", "status", "reason"),
    [
        (row("a", "upsert", "succeeded", message="x"), "succeeded", None),
        (row("a", "upsert", "aborted", message="x"), "aborted", None),
        (row("a", "upsert", "rejected", message="x"), "failed", "x"),
        (row("a", "upsert", "rejected"), "failed", None),
        (row("a", "upsert", "DUPLICATE"), "failed", "Invalid record: duplicate identifier"),
        (row(None, "upsert", "NULL"), "failed", "Invalid record: identifier is null"),
        (row(None, "upsert", None), "failed", "Invalid record: identifier is null"),
        (row("a", "upsert", "NULL"), "failed", "Invalid record: status NULL"),
        (row("a", "upsert", " Odd "), "failed", "Unrecognised status:  Odd "),
        (row("a", "upsert", None), "failed", "Unrecognised status: null"),
        (row("a", "Sync ", "succeeded"), "failed", "Unrecognised operation: Sync "),
        (row("a", None, "aborted"), "failed", "Unrecognised operation: null"),
        (row("a", "sync", "rejected", message="x"), "failed", "x"),
        (row("a", "sync", "NULL"), "failed", "Invalid record: status NULL"),
        (row("a", "sync", "odd", message="x"), "failed", "Unrecognised status: odd"),
    ],
)
def test_changelog_status_and_reason(logged: LoggedRow, status: str, reason: str | None) -> None:
    (found,) = table("sync_changelog", batch("1", logged))
    assert picked([found], "status failed_reason failure_reason") == [(status, reason, reason)]


# sync_log has only rows that were sent, operations as logged, and ids from the metadata (R15).
def test_sync_log_has_rows_that_were_sent() -> None:
    rows = [row("a", " Sync", s) for s in ("succeeded", "FAILED", "aborted", "NULL", "odd")]
    log = table("sync_log", batch("1", *rows), metadata={"1": {"sourceId": 7, "source_id": "s"}})
    assert column(log, "status") == ["succeeded", "rejected"]
    assert column(log, "operation") == [" Sync", " Sync"]
    assert column(log, "source_id") == ["s", "s"]


# Split groups (R12).
def test_split_groups() -> None:
    payload = '{"a.b": "x", "n": 7, "t": true, "o": {"k": [1, "\u00fc"]}, "z": null, "e": ""'
    payload += ', "N": 8, "n": 9}'
    found = {field: split_group(payload, field) for field in ("a.b", "n", "t", "o", "z", "e")}
    assert found == {
        **{"a.b": "x", "n": "7", "t": "true", "o": '{"k":[1,"\u00fc"]}', "z": None, "e": ""}
    }
    assert split_group("[1]", "n") is None
    assert split_group('{"n": "cut off"', "n") is None
    assert split_group(payload, None) is None


# Metadata is read tolerantly (R15). A time without a zone is UTC.
def test_metadata_is_read_tolerantly() -> None:
    for text in (None, "", "{", "[]", "null", '{"model_name": "x"'):
        assert read_metadata(text).model_name is None
    assert read_metadata('{"modelId": 7}').model_id == "7"
    assert read_time("2025-03-01T00:10:00") == at(10)
    assert read_time("2025-03-01T05:40:00.000+05:30") == at(10)
    assert read_time("2025-03-01T00:10:00Z") == at(10)
    assert read_time("soon") is None


# Facts (R13). A table name that is a prefix of another one is a different table.
def test_facts_take_the_last_file_and_row() -> None:
    facts: dict[str, tuple[FactRow, ...] | None] = {
        "metadata/o/destinations.parquet": ({"id": "1", "name": "old"}, {"id": None}),
        "metadata/o/destinations_2.parquet": ({"id": "1", "name": "x"}, {"id": "1", "name": "y"}),
        "metadata/p/destinations.parquet": ({"id": "1"},),
        "metadata/o/destination_objects.parquet": None,
    }
    found = compute(Lake(facts=facts), AS_OF)
    lake = {"source_name": "lake", "vendor": "census"}
    assert found["destinations"] == [
        {"organization_id": "o", "id": "1", "type": None, "name": "y", **lake},
        {"organization_id": "p", "id": "1", "type": None, "name": None, **lake},
    ]
    assert found["destination_objects"] == []


# Files that vanished stay. Rewritten files count as last seen.
def test_merge_remembers() -> None:
    old = lake_of(batch("1", row("a", "upsert", "rejected")), unreadable("2"), metadata={"1": {}})
    new = lake_of(batch("1", row("b", "upsert", "rejected")))
    found = compute(merge(old, new), AS_OF)
    assert column(found["sync_records"], "identifier") == ["b"]
    assert column(found["sync_runs"], "sync_run_id") == ["1", "2"]
