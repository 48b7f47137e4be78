"""What builds read of Hightouch's `sync_snapshot`, which depends on what they have read before.

The table has no run ids. What it says of a sync without a changelog is the outcome of the sync's
last run, which has ended and plans as many records as the snapshot has. Of a run that is read
again, "known" and "delivered" are those of the last build, so of earlier readings of it, too.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .delivered import deliver
from .hightouch import (
    SNAPSHOT,
    SOURCE_NAME,
    VANISHED,
    ChangelogRow,
    HightouchTables,
    ReadSnapshot,
    SourceRow,
    merge,
    precedence,
    read_row,
    read_tables,
    runs_of,
)
from .history import Run, in_order, run_order
from .lake import FIRST_TIME, as_text
from .values import byte_order
from .vocabulary import map_reported_op_type, map_status

NOTHING_READ = ReadSnapshot({}, (), frozenset(), 0)
UNCHANGED = "unchanged"
# What a run reports, and the op_type that it counts. Removed records are not compared.
COMPARED_COUNTS = {"num_planned_add": "added", "num_planned_change": "changed"}

Content = Mapping[str, Iterable[SourceRow]]


@dataclass(frozen=True)
class Known:
    """What is known of a sync as of the last build: its records, and which of them are in."""

    row_ids: frozenset[str]
    delivered: frozenset[str]


def runs_after(organization_id: str, source_name: str, contents: Iterable[Content]) -> list[Run]:
    """List the runs that builds have seen which found these contents, one after another."""
    return runs_of(seen_in(organization_id, contents, source_name))


def seen_in(
    organization_id: str, contents: Iterable[Content], source_name: str = SOURCE_NAME
) -> HightouchTables:
    """Return everything that builds have seen which found these contents, one after another."""
    seen = HightouchTables(organization_id, source_name=source_name)
    for content in contents:
        seen = after_build(seen, content)
    return seen


def after_build(seen: HightouchTables, content: Content) -> HightouchTables:
    """Return what is seen after one more build, which finds this content."""
    now = read_tables(seen.organization_id, content, seen.source_name)
    last_runs = last_runs_of(now)
    snapshots = {
        run_id: replace(snapshot, is_found=False) for run_id, snapshot in seen.snapshots.items()
    }
    with_changelog = {row.sync_id for row in now.rows.values()}
    for sync_id, run in last_runs.items():
        rows = source_rows_of(content, run)
        if sync_id in with_changelog or not is_outcome_of(run, rows):
            continue
        run_id = sync_id, run.sync_run_id
        earlier = snapshots.get(run_id, NOTHING_READ)
        snapshots[run_id] = replace(earlier, is_found=True)
        compared = compared_of(content, rows)
        if compared != earlier.compared:
            read = _read(earlier, rows, known_of(seen, sync_id), run)
            snapshots[run_id] = replace(read, compared=compared)
    return replace(merge(seen, now), snapshots=snapshots)


def last_runs_of(now: HightouchTables) -> dict[str, Run]:
    """Return the last run that `sync_runs` has of each sync."""
    # Without rows of the changelog, only the table of runs shows them.
    ordered = sorted(runs_of(replace(now, rows={}, snapshots={})), key=run_order)
    return {run.sync_id: run for run in ordered}


def source_rows_of(content: Content, run: Run) -> list[ChangelogRow]:
    """Return the rows of the run's sync in the table, as rows of the run, in order."""
    rows = [row for row in content.get(SNAPSHOT, ()) if as_text(row.get("sync_id")) == run.sync_id]
    return sorted_rows(rows, run.sync_id, run.sync_run_id)


def compared_of(content: Content, rows: list[ChangelogRow]) -> tuple[object, ...]:
    """Return what a build compares: like of a changelog, all but the payload and the group."""
    columns = {column for row in content.get(SNAPSHOT, ()) for column in row}
    narrow = [(row.row_id, row.op_type, row.status, row.failure_reason) for row in rows]
    return tuple(sorted(columns)), *narrow


def sorted_rows(
    rows: Iterable[SourceRow], sync_id: str = "", sync_run_id: str = ""
) -> list[ChangelogRow]:
    """Read the rows of a sync that are read, copies too; of each record, the best one first.

    The rules do not say which op_type goes first. The order of op_types makes it repeatable.
    """
    read = [read_row(row, sync_id, sync_run_id) for row in rows]
    return sorted(
        (row for row in read if row.row_id is not None),
        key=lambda row: (byte_order(row.row_id), precedence(row), byte_order(row.op_type)),
    )


def is_outcome_of(run: Run, rows: list[ChangelogRow]) -> bool:
    """Whether these rows of the snapshot are read as the outcome of a run, the sync's last one."""
    has_ended = run.metadata.sync_run_finished_at is not None or run.reported_status is not None
    op_types = op_types_of(rows)
    fits = all(
        run.reported_counts.get(column, op_types[op_type]) == op_types[op_type]
        for column, op_type in COMPARED_COUNTS.items()
    )
    return rows != [] and has_ended and fits


def op_types_of(rows: list[ChangelogRow]) -> "Counter[str]":
    """Count the records of each op_type."""
    return Counter(op_type_of(row) for row in _first_of_each(rows).values())


def op_type_of(row: ChangelogRow) -> str:
    """Return one of the four op_types; any other word, or none, is `unchanged`."""
    return map_reported_op_type(row.op_type)[1] or UNCHANGED


def known_of(seen: HightouchTables, sync_id: str) -> Known:
    """Return what is known of a sync, from all of its runs that were seen."""
    runs = [run for run in runs_of(seen) if run.sync_id == sync_id]
    row_ids = {
        attempt.identifier
        for run in runs
        for attempt in run.attempts
        if attempt.identifier is not None
    }
    # Hightouch logs no time of a row, so the time of the build settles nothing.
    syncs = in_order(runs, FIRST_TIME)
    members = [row_id for sync in syncs for row_id in deliver(sync).members]
    return Known(frozenset(row_ids), frozenset(members))


def _read(earlier: ReadSnapshot, rows: list[ChangelogRow], known: Known, run: Run) -> ReadSnapshot:
    first_of_each = _first_of_each(rows)
    found = {}
    for row_id, row in first_of_each.items():
        outcome = _outcome(row, is_known=row_id in known.row_ids)
        if outcome is not None:
            found[row_id] = outcome
    copies = Counter(row.row_id for row in rows)
    vanished = {
        row_id: ChangelogRow(run.sync_id, run.sync_run_id, VANISHED, row_id, "succeeded")
        for row_id in known.delivered - first_of_each.keys()
    }
    stored = {**earlier.rows, **found, **vanished}
    return ReadSnapshot(
        rows=stored,
        compared=(),
        # A row that is dropped is no row of the source, so what was read of it before is deleted.
        # No source ever had a vanished record, so its row cannot be deleted.
        deleted=frozenset(
            row_id
            for row_id, row in stored.items()
            if row_id not in found and row.op_type != VANISHED
        ),
        # Copies of a row that is dropped do not count.
        duplicate_count=sum(copies[row_id] - 1 for row_id in found),
    )


def _outcome(row: ChangelogRow, is_known: bool) -> ChangelogRow | None:
    """Return how a row is read; None if it is dropped."""
    if op_type_of(row) != UNCHANGED:
        return row
    if is_known:
        return None
    if map_status(row.status, row.row_id) == "failed":
        return replace(row, read_as="added")
    return replace(row, read_as="changed", status="succeeded" if row.status is None else row.status)


def _first_of_each(rows: list[ChangelogRow]) -> dict[str, ChangelogRow]:
    first: dict[str, ChangelogRow] = {}
    for row in rows:
        first.setdefault(row.row_id or "", row)
    return first
