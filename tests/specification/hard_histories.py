"""What is hard in a history of a table `sync_log`: names of features, as often as they occur."""

from collections import Counter
from collections.abc import Iterator

from oracle import rudderstack, writeback
from oracle.hightouch import RunId
from oracle.history import Run
from oracle.rows import Row
from oracle.source_history import SourceHistory, SourceStep, expected_syncs, expected_tables
from oracle.sync_log_table import SYNC_LOG, RowKey, SentRow

READERS = {"census_writeback": writeback.read_row, "rudderstack": rudderstack.read_row}
Keys = dict[RowKey, list[SentRow]]


def features_of(history: SourceHistory) -> "Counter[str]":
    """Count what is hard in all steps of a history."""
    found: Counter[str] = Counter()
    for index in range(len(history.steps)):
        found.update(_of_step(history, index))
        if index:
            found.update(_of_change(history, index))
    last = len(history.steps) - 1
    found.update(_of_runs(history, last))
    found.update(_of_tables(history, last))
    return found


def keys_of(history: SourceHistory, step: SourceStep) -> dict[RunId, Keys]:
    """Return the rows that a step has of each run and key."""
    found: dict[RunId, Keys] = {}
    for row in map(READERS[history.type], step.tables[SYNC_LOG].rows):
        if row is not None:
            found.setdefault(row.run_id, {}).setdefault(row.key, []).append(row)
    return found


def check_types(step: SourceStep) -> None:
    """Assert that rows have the columns of their tables, and values of their types."""
    types = {"string": str, "bigint": int}
    for table in step.tables.values():
        for row in table.rows:
            assert set(row) == set(table.columns)
            for name, value in row.items():
                kind = types.get(table.columns[name])
                assert value is None or kind is None or type(value) is kind


def _of_step(history: SourceHistory, index: int) -> Iterator[str]:
    table = history.step(index).tables[SYNC_LOG]
    if not table.rows:
        yield "empty"
    for row in table.rows:
        if None in (row.get("sync_id", row.get("connection_id")), row["sync_run_id"]):
            yield "row that is not read"
        yield f"id is a {type(row['sync_run_id']).__name__}"
    for keys in keys_of(history, history.step(index)).values():
        for copies in keys.values():
            yield from _of_copies(copies)
        yield from _of_times([row for copies in keys.values() for row in copies])
    yield from _of_reported_times(table.rows)


def _of_copies(copies: list[SentRow]) -> Iterator[str]:
    if len(copies) > 1:
        yield "same copies" if len(set(copies)) == 1 else "differing copies"
        times = {row.logged_at for row in copies}
        if len(times) > 1:
            yield "copies logged at two times"


def _of_times(rows: list[SentRow]) -> Iterator[str]:
    if any(row.logged.batch_ended_at is None and row.logged.batch_started_at for row in rows):
        yield "batch without an end"
    if len({row.logged_at is None for row in rows}) == 2:
        yield "row that does not say when it was logged"


def _of_reported_times(rows: tuple[Row, ...]) -> Iterator[str]:
    known: dict[object, set[bool]] = {}
    for row in rows:
        run = row.get("connection_id"), row["sync_run_id"]
        known.setdefault(run, set()).add(row.get("sync_started_at") is not None)
    if {True, False} in known.values():
        yield "times in some rows of a run"


def _of_change(history: SourceHistory, index: int) -> Iterator[str]:
    steps = history.steps[index - 1 : index + 1]
    before, after = (keys_of(history, step) for step in steps)
    for run_id, keys in before.items():
        left = keys.keys() & after.get(run_id, {}).keys()
        if len(left) < len(keys):
            yield "half a clean-up" if left else "whole clean-up"
        for key in left:
            if {row.logged.status for row in keys[key]} != {
                row.logged.status for row in after[run_id][key]
            }:
                yield "another status"
        new = [row for key in after.get(run_id, {}).keys() - left for row in after[run_id][key]]
        if new:
            yield "late row"
        if _are_older(new, [row for copies in keys.values() for row in copies]):
            yield "late row of an older batch"
    columns_before, columns_after = (step.tables[SYNC_LOG].columns.keys() for step in steps)
    if columns_after - columns_before - {"some_extra"}:
        yield "column comes"
    if columns_before - columns_after - {"some_extra"}:
        yield "column goes"
    runs_before, runs_after = (history.runs_after(step) for step in (index - 1, index))
    finished = {run.key: run.metadata.sync_run_finished_at for run in runs_before}
    if any(finished.get(run.key, 1) is None and run.rows_ended_at for run in runs_after):
        yield "run goes on"
    if any(finished.get(r.key, 1) is None and r.metadata.sync_run_finished_at for r in runs_after):
        yield "run ends"


def _are_older(new: list[SentRow], old: list[SentRow]) -> bool:
    """Whether a new row was logged after all old ones, though its batch was before one."""
    ends = [row.logged.batch_ended_at for row in old if row.logged.batch_ended_at]
    times = [row.logged_at for row in old if row.logged_at]
    return any(
        row.logged_at
        and row.logged.batch_ended_at
        and row.logged_at > max(times)
        and row.logged.batch_ended_at < max(ends)
        for row in new
        if ends and times
    )


def _of_runs(history: SourceHistory, index: int) -> Iterator[str]:
    for sync in expected_syncs([history], index):
        if not all(sync.settled):
            yield "run that is not settled"
        for one, other in zip(sync.runs, sync.runs[1:], strict=False):
            if one.order_at and one.order_at == other.order_at:
                yield "equal starts"
            ended_at = one.rows_ended_at or one.last_batch_ended_at
            if ended_at and other.order_at and ended_at > other.order_at:
                yield "runs that overlap"
            if _numbers_fall(one, other):
                yield "numbers out of order"


def _numbers_fall(one: Run, other: Run) -> bool:
    ids = one.sync_run_id, other.sync_run_id
    return all(run_id.isascii() and run_id.isdigit() for run_id in ids) and int(ids[0]) > int(
        ids[1]
    )


def _of_tables(history: SourceHistory, index: int) -> Iterator[str]:
    tables = expected_tables([history], index)
    for row in tables["sync_records"]:
        yield f"record {row['record_status']}"
        if row["identifier"] is None:
            yield "null key"
        if set(str(row["identifier"])) & set("'\"\\\n\U0001f600"):
            yield "odd identifier"
    for row in tables["sync_changelog"]:
        yield f"{row['op_type']} {row['status']}"
        if str(row["failed_reason"]).startswith("Unrecognised operation"):
            yield "unknown operation"
    for row in tables["audience_memberships"]:
        if row["exit_observed"] is False:
            yield "exit that a mirror run implies"
        if row["entered_sync_run_id"] is None:
            yield "late start"
    if any(row["source_id"] or row["destination_id"] for row in tables["sync_log"]):
        yield "ids of source and destination"
