"""Random histories of Hightouch sources: what is expected after each step, and invariants of it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from oracle.building import at, batch, lake_of, row
from oracle.building_hightouch import logged, ran
from oracle.hightouch import (
    CHANGELOG,
    COUNT_COLUMNS,
    RUNS,
    HightouchTables,
    RowKey,
    RunId,
    read_changelog_row,
    runs_of,
)
from oracle.hightouch_snapshots import seen_in
from oracle.history import read_runs
from oracle.metadata import RunMetadata
from oracle.random_hightouch import SHAPES, random_hightouch
from oracle.rows import COLUMNS, Row
from oracle.source_history import (
    SourceHistory,
    SourceStep,
    SourceTable,
    expected_answers,
    expected_tables,
    without_row_hashes,
)
from specification.hard_histories import check_types
from specification.small_lake_answers import Tables

SEEDS = range(130)
TEXT = "string"


def source(name: str, *contents: list[Row], organization: str | None = None) -> SourceHistory:
    """Create a source without a runs table; each step has the rows of its changelog."""
    steps = [
        SourceStep({CHANGELOG: SourceTable(dict.fromkeys(rows[0], TEXT), tuple(rows))}, at(9))
        for rows in contents
    ]
    return SourceHistory("hightouch", name, organization, tuple(steps))


def seen_after(history: SourceHistory, step_index: int) -> HightouchTables:
    return seen_in(history.organization_id, history.contents(step_index))


# Rows that vanished stay. A history that is over stays as it is. Sources have organisations.
def test_expected_tables_of_several_sources() -> None:
    ours = source("ours", [logged("1", "a")], [logged("2", "a", "removed")], [logged("2", "b")])
    theirs = source("theirs", [logged("1", "a", "removed")], organization="o")
    expected = [
        {("ours", "1", "a", "added"), ("o", "1", "a", "removed")},
        {("ours", "2", "a", "removed")},
        {("ours", "2", "b", "added")},
    ]
    columns = ("organization_id", "sync_run_id", "row_id", "op_type")
    for step in range(3):
        changelog = expected_tables([ours, theirs], step)["sync_changelog"]
        found = [tuple(row[column] for column in columns) for row in changelog]
        assert Counter(found) == Counter(key for keys in expected[: step + 1] for key in keys)


# The runs of a lake and of a source are in one order if they have one sync.
def test_expected_tables_with_a_lake() -> None:
    lake = lake_of(batch("9", row("a", "added", "rejected", started=3)))
    ours = source("x", [logged("8", "a", "changed")], organization="o")
    tables = expected_tables([ours], 0, other_runs=read_runs(lake), as_of=at(10_000))
    assert [(row["sync_run_id"], row["op_type"]) for row in tables["sync_changelog"]] == [
        *[("9", "added"), ("8", "changed")]
    ]
    # `added` is no operation of a lake.
    assert [row["failed_reason"] for row in tables["sync_changelog"]] == [
        *["Unrecognised operation: added", None]
    ]
    # A row of a lake has no other time than the end of its batch.
    assert [row["attempted_at"] for row in tables["sync_changelog"]] == [None, None]
    assert [row["row_index"] for row in without_row_hashes(tables["sync_changelog"])] == [0, None]
    with pytest.raises(ValueError, match="expected each run in one source"):
        expected_tables([ours, replace(ours, source_name="y")], 0)


# The time of an answer is the time of the rows, the finish of their run.
def test_expected_answers() -> None:
    history = source("x", [logged("1", "a", "added", "failed") | {"failure_reason": "no"}])
    step = history.steps[0]
    table = SourceTable({"sync_id": TEXT, "sync_run_id": TEXT}, (ran("1", 1, 7),))
    history = replace(history, steps=(replace(step, tables={**step.tables, RUNS: table}),))
    (error,) = expected_answers([history], 0)["errors_by_sync"]
    assert (error["failure_reason"], error["record_count"]) == ("no", 1)
    assert (error["first_seen_at"], error["last_seen_at"]) == (at(7), at(7))
    (statistics,) = expected_answers([history], 0)["sync_statistics"]
    assert (statistics["median_run_seconds"], statistics["last_run_at"]) == (360.0, at(1))


@pytest.mark.parametrize("seed", SEEDS)
def test_invariants(seed: int) -> None:
    history = random_hightouch(seed)
    keys: set[RowKey] = set()
    for index, step in enumerate(history.steps):
        check_types(step)
        rows = [row for table in step.tables.values() for row in table.rows]
        assert all(None not in (row["sync_id"], row["sync_run_id"]) for row in rows)
        tables = expected_tables([history], index)
        keys |= {key_of(found) for found in step.tables[CHANGELOG].rows}
        assert Counter(map(record_key_of, tables["sync_records"])) == Counter(keys)
        check_tables(tables)
        organizations = {found["organization_id"] for found in tables["sync_runs"]}
        assert organizations <= {history.organization_id}
    # One more look at the same content changes nothing, whatever its order.
    last = history.steps[-1]
    again = replace(
        last,
        tables={name: replace(table, rows=table.rows[::-1]) for name, table in last.tables.items()},
    )
    longer = replace(history, steps=(*history.steps, again))
    assert seen_after(longer, len(history.steps)) == seen_after(history, len(history.steps) - 1)


def check_tables(tables: Tables) -> None:
    for name, rows in tables.items():
        assert all(set(found) == set(COLUMNS[name]) for found in rows)
    statuses = [found["record_status"] for found in tables["sync_records"]]
    unsent = [status for status in statuses if status not in ("succeeded", "failed")]
    assert len(statuses) == len(tables["sync_log"]) + len(unsent)
    # A record has one row in a run, so the order of rows decides nothing.
    records = [
        (found["sync_id"], found["sync_run_id"], found["identifier"])
        for found in tables["sync_records"]
        if found["identifier"] is not None
    ]
    assert len(records) == len(set(records))
    assert len(tables["sync_changelog"]) == len(statuses)
    members = [found for found in tables["audience_memberships"] if not found["exit_observed"]]
    delivered = {
        (found["sync_id"], found["row_id"])
        for found in tables["sync_snapshot"]
        if found["is_delivered"]
    }
    assert delivered == {(found["sync_id"], found["row_id"]) for found in members}


def key_of(found: Row) -> RowKey:
    return read_changelog_row(found).key


def record_key_of(found: dict[str, Any]) -> RowKey:
    return found["sync_id"], found["sync_run_id"], found["identifier"], found["operation"]


def test_histories_are_reproducible() -> None:
    assert random_hightouch(7) == random_hightouch(7)
    assert random_hightouch(7) != random_hightouch(7, has_several_op_types=True)


def test_every_value_occurs() -> None:
    histories = [random_hightouch(seed) for seed in SEEDS]
    rows = [row for history in histories for row in history.steps[-1].tables[CHANGELOG].rows]
    assert {None, "", "o'brien", "two\nlines", 3} <= {row["row_id"] for row in rows}
    assert {None, "added", "unchanged", ""} <= {row["op_type"] for row in rows}
    assert {None, "failed", "aborted", "pending", ""} <= {row["status"] for row in rows}
    assert {9, "9", 10, "10", "a", 'say "run"'} <= {row["sync_run_id"] for row in rows}
    runs = [run for history in histories for run in runs_of(seen_after(history, 9))]
    # Runs without facts, without rows, and with both.
    assert {(bool(run.attempts), run.metadata == RunMetadata()) for run in runs} == {
        *[(True, True), (False, False), (True, False)]
    }
    starts = Counter((run.sync_key, run.metadata.sync_run_started_at) for run in runs)
    assert sum(number > 1 for (_, start), number in starts.items() if start) > 10


def test_every_case_occurs() -> None:
    histories = [random_hightouch(seed) for seed in SEEDS]
    assert len({history.source_name for history in histories}) == len(histories)
    assert None in {history.organization_setting for history in histories}
    found = [expected_tables([history], 9) for history in histories]
    runs = [row for tables in found for row in tables["sync_runs"]]
    assert {row["status"] for row in runs} == {"succeeded", "failed", None}
    changelog = {(r["op_type"], r["status"]) for tables in found for r in tables["sync_changelog"]}
    assert len(changelog) == 9
    members = [row for tables in found for row in tables["audience_memberships"]]
    assert {row["exit_observed"] for row in members} == {True, None}
    assert {row["entry_observed"] for row in members} == {True, False}
    assert any(row["entered_sync_run_id"] is None for row in members)
    snapshot = {r["op_type"] for tables in found for r in tables["sync_snapshot"]}
    assert snapshot == {"added", "changed", "removed", "unchanged"}


def test_every_change_occurs() -> None:
    counted: Counter[str] = Counter()
    for history in map(random_hightouch, SEEDS):
        for index in range(1, len(history.steps)):
            before, after = history.steps[index - 1 : index + 1]
            counted.update(changes_of_rows(before, after))
            counted.update(changes_of_runs(before, after))
            counted.update(changes_of_columns(before, after))
            counted.update(returns(history, index))
    assert not {name for name in CHANGES if counted[name] < 10}, counted


CHANGES = (
    *("late row", "half a clean-up", "whole clean-up", "other content", "same copies"),
    *("differing copies", "row of a run after its rows", "finish after start"),
    *("return with other content", "table comes", "table goes", "column comes", "null counts"),
)


def changes_of_rows(before: SourceStep, after: SourceStep) -> Iterator[str]:
    rows_before, rows_after = (by_run(step.tables[CHANGELOG]) for step in (before, after))
    for run, keys in rows_before.items():
        keys_after = rows_after.get(run, {})
        left = keys.keys() & keys_after.keys()
        if len(left) < len(keys):
            yield "half a clean-up" if left else "whole clean-up"
        if keys_after.keys() - keys.keys():
            yield "late row"
        if any(keys[key] != keys_after[key] for key in left):
            yield "other content"
    for copies in [copies for keys in rows_after.values() for copies in keys.values()]:
        if len(copies) > 1:
            yield "same copies" if len(set(copies)) == 1 else "differing copies"


def changes_of_runs(before: SourceStep, after: SourceStep) -> Iterator[str]:
    if RUNS not in after.tables:
        return
    finished_before = {} if RUNS not in before.tables else finishes(before.tables[RUNS])
    has_rows = by_run(before.tables[CHANGELOG])
    for run, finished in finishes(after.tables[RUNS]).items():
        if run in has_rows and run not in finished_before:
            yield "row of a run after its rows"
        if finished is not None and run in finished_before and finished_before[run] is None:
            yield "finish after start"
    for run_row in after.tables[RUNS].rows:
        if all(run_row.get(column) is None for column in COUNT_COLUMNS):
            yield "null counts"


def changes_of_columns(before: SourceStep, after: SourceStep) -> Iterator[str]:
    if (RUNS in before.tables) != (RUNS in after.tables):
        yield "table comes" if RUNS in after.tables else "table goes"
    columns = after.tables[CHANGELOG].columns.keys() - before.tables[CHANGELOG].columns.keys()
    if columns - {"some_extra"}:
        yield "column comes"


def returns(history: SourceHistory, index: int) -> Iterator[str]:
    """Find keys that were gone before a step and are back with other content."""
    before, after = (seen_after(history, number).rows for number in (index - 1, index))
    gone = before.keys() - {key_of(row) for row in history.steps[index - 1].tables[CHANGELOG].rows}
    for key in gone:
        if after[key] != before[key]:
            yield "return with other content"


def by_run(table: SourceTable) -> dict[RunId, dict[RowKey, list[str]]]:
    found: dict[RunId, dict[RowKey, list[str]]] = {}
    for one in table.rows:
        keys = found.setdefault(key_of(one)[:2], {})
        keys.setdefault(key_of(one), []).append(repr(sorted(one.items())))
    return found


def finishes(table: SourceTable) -> dict[RunId, object]:
    return {
        (str(one["sync_id"]), str(one["sync_run_id"])): one.get("finished_at") for one in table.rows
    }


def test_shapes() -> None:
    assert len({shape.name for shape in SHAPES}) == len(SHAPES)
    for number, shape in enumerate(SHAPES):
        steps = random_hightouch(number).steps
        assert [step.as_of for step in steps] == sorted(step.as_of for step in steps)
        columns = {name for step in steps for name in step.tables[CHANGELOG].columns}
        assert set(shape.columns) <= columns
        id_type = "bigint" if shape.has_integer_ids else "string"
        assert {step.tables[CHANGELOG].columns["row_id"] for step in steps} == {id_type}
        has_runs = {RUNS in step.tables for step in steps}
        is_constant = {"always": {True}, "never": {False}}
        assert has_runs == is_constant.get(shape.runs_table, {True, False})
