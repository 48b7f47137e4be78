"""Hightouch's Warehouse Sync Logs as plain Python objects, and the runs that they show.

A source has up to three tables, `sync_changelog`, `sync_runs` and `sync_snapshot`; the last two can
be missing, like most columns of all. A row of the changelog is an attempt without batch times: the
finish of its run, otherwise the start, is its time. What is read of a snapshot (in
`hightouch_snapshots`) is like rows of the changelog. Everything else is as in docs/semantics.md.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from .history import Attempt, Run
from .lake import LoggedRow, as_text, as_time
from .metadata import RunMetadata
from .rows import COUNTED_OP_TYPES, STAGES
from .sources import Source
from .values import byte_order
from .vocabulary import map_reported_op_type, map_status

CHANGELOG = "sync_changelog"
RUNS = "sync_runs"
SNAPSHOT = "sync_snapshot"
# The op_type of a row that no table has: its record was in, and the snapshot does not have it.
VANISHED = "vanished"
SOURCE_NAME = "hightouch"
COUNT_COLUMNS = tuple(f"num_{stage}_{suffix}" for stage in STAGES for suffix in COUNTED_OP_TYPES)
# Of several rows with one key, a row with an earlier status counts; other statuses come after.
STATUS_ORDER = ("succeeded", "failed", "not_attempted")

SourceRow = Mapping[str, object]
# Sync and run.
RunId = tuple[str, str]
# Sync, run, row_id and op_type, as logged.
RowKey = tuple[str, str, str | None, str | None]


@dataclass(frozen=True)
class ChangelogRow:
    """One row of `sync_changelog`, ids as text; missing columns are null."""

    sync_id: str
    sync_run_id: str
    op_type: str | None = None
    row_id: str | None = None
    status: str | None = None
    failure_reason: str | None = None
    fields: str | None = None
    split_group: str | None = None
    # The op_type that counts, if it is not the one that the table has.
    read_as: str | None = None

    @property
    def key(self) -> RowKey:
        """The vendor's key; rows with the same key count once."""
        return self.sync_id, self.sync_run_id, self.row_id, self.op_type


@dataclass(frozen=True)
class RunRow:
    """One row of `sync_runs`: the facts of a run, and those of its counts that are not null."""

    metadata: RunMetadata
    counts: Mapping[str, int]


@dataclass(frozen=True)
class ReadSnapshot:
    """What was read of the snapshot of one run, by row_id; what is gone stays."""

    rows: dict[str, ChangelogRow]
    # What was compared at the last reading: the columns of the table, and its rows, copies too.
    compared: tuple[object, ...]
    # The ids of the rows that the table no longer had at the last reading.
    deleted: frozenset[str]
    duplicate_count: int
    # Whether the last build found the snapshot of this run; if not, all its rows are deleted.
    is_found: bool = True

    def has_deleted(self, row_id: str) -> bool:
        """Whether the table no longer has a row."""
        return not self.is_found or row_id in self.deleted


@dataclass(frozen=True)
class HightouchTables:
    """Everything that was seen in one source: one row per key, and one row per run."""

    organization_id: str
    rows: dict[RowKey, ChangelogRow] = field(default_factory=dict)
    runs: dict[RunId, RunRow] = field(default_factory=dict)
    source_name: str = SOURCE_NAME
    # The keys that the source has now.
    present: frozenset[RowKey] = frozenset()
    # How many rows repeated the key of another one when the run was last read.
    duplicate_counts: dict[RunId, int] = field(default_factory=dict)
    snapshots: dict[RunId, ReadSnapshot] = field(default_factory=dict)


def read_tables(
    organization_id: str,
    tables: Mapping[str, Iterable[SourceRow]],
    source_name: str = SOURCE_NAME,
) -> HightouchTables:
    """Read the rows that are in a source at one time, by the name of their table.

    Snapshots are not read here, because they depend on what was read before.
    Raises `ValueError` for what the rules say nothing about: a row without the id of its sync or
    run, and two different rows of one run in `sync_runs`.
    """
    rows: dict[RowKey, ChangelogRow] = {}
    duplicate_counts: dict[RunId, int] = {}
    for row in sorted(map(read_changelog_row, tables.get(CHANGELOG, ())), key=precedence):
        run_id = row.sync_id, row.sync_run_id
        duplicate_counts[run_id] = duplicate_counts.get(run_id, 0) + (row.key in rows)
        rows.setdefault(row.key, row)
    seen = HightouchTables(
        organization_id,
        rows,
        source_name=source_name,
        present=frozenset(rows),
        duplicate_counts=duplicate_counts,
    )
    for source_row in tables.get(RUNS, ()):
        run_id, run_row = _run_id(source_row), _read_run_row(source_row)
        if seen.runs.setdefault(run_id, run_row) != run_row:
            raise ValueError(f"expected one row per run, given two different ones: {run_id}")
    return seen


def merge(old: HightouchTables, new: HightouchTables) -> HightouchTables:
    """Return all rows ever seen: the newer content of a key wins, and rows that vanished stay."""
    return replace(
        new,
        rows={**old.rows, **new.rows},
        runs={**old.runs, **new.runs},
        duplicate_counts={**old.duplicate_counts, **new.duplicate_counts},
        snapshots={**old.snapshots, **new.snapshots},
    )


def runs_of(tables: HightouchTables) -> list[Run]:
    """List the runs of a source, in no particular order; any table is enough to show a run."""
    run_ids = (*tables.runs, *tables.snapshots)
    rows_by_run: dict[RunId, list[ChangelogRow]] = {run_id: [] for run_id in run_ids}
    for row in tables.rows.values():
        rows_by_run.setdefault((row.sync_id, row.sync_run_id), []).append(row)
    return [_run(tables, run_id, rows) for run_id, rows in rows_by_run.items()]


def read_changelog_row(row: SourceRow) -> ChangelogRow:
    """Read a row of `sync_changelog`; its reason has one of two names, or both."""
    return read_row(row, *_run_id(row))


def read_row(row: SourceRow, sync_id: str, sync_run_id: str) -> ChangelogRow:
    """Read a row as one of a run; its own ids do not count."""
    reason = as_text(row.get("failure_reason"))
    return ChangelogRow(
        sync_id=sync_id,
        sync_run_id=sync_run_id,
        op_type=as_text(row.get("op_type")),
        row_id=as_text(row.get("row_id")),
        status=as_text(row.get("status")),
        failure_reason=as_text(row.get("failed_reason")) if reason is None else reason,
        fields=as_text(row.get("fields")),
        split_group=as_text(row.get("split_group")),
    )


def _read_run_row(row: SourceRow) -> RunRow:
    counts = {column: row.get(column) for column in COUNT_COLUMNS}
    return RunRow(
        metadata=RunMetadata(
            destination_type=as_text(row.get("destination")),
            sync_run_started_at=as_time(row.get("started_at")),
            sync_run_finished_at=as_time(row.get("finished_at")),
            sync_run_status=as_text(row.get("status")),
            sync_run_error=as_text(row.get("error")),
            primary_key=as_text(row.get("primary_key")),
            model_id=as_text(row.get("model_id")),
            model_name=as_text(row.get("model_name")),
        ),
        counts={column: count for column, count in counts.items() if isinstance(count, int)},
    )


def source_of(name: str) -> Source:
    """Return what is known about a source of type hightouch."""
    return Source(name, "hightouch", payload_kind="model_row", logs_invalid_records=False)


def _run(tables: HightouchTables, run_id: RunId, rows: list[ChangelogRow]) -> Run:
    run_row = tables.runs.get(run_id) or RunRow(RunMetadata(), {})
    snapshot = tables.snapshots.get(run_id) or ReadSnapshot({}, (), frozenset(), 0)
    sync_id, sync_run_id = run_id
    found = [(row, CHANGELOG, row.key not in tables.present) for row in rows]
    found += [
        (row, SNAPSHOT, snapshot.has_deleted(row_id)) for row_id, row in snapshot.rows.items()
    ]
    # The rules do not order the rows of a run. This order only makes the result repeatable.
    found.sort(key=lambda one: (byte_order(one[0].row_id), byte_order(one[0].op_type), one[1]))
    finished_at = run_row.metadata.sync_run_finished_at
    return Run(
        organization_id=tables.organization_id,
        sync_id=sync_id,
        sync_run_id=sync_run_id,
        metadata=run_row.metadata,
        attempts=tuple(
            _attempt(row, file_name, position, is_deleted)
            for position, (row, file_name, is_deleted) in enumerate(found)
        ),
        rows_ended_at=finished_at or run_row.metadata.sync_run_started_at,
        reported_counts=run_row.counts,
        source=source_of(tables.source_name),
        duplicate_row_count=tables.duplicate_counts.get(run_id, 0) + snapshot.duplicate_count,
    )


def _attempt(row: ChangelogRow, file_name: str, position: int, is_deleted: bool) -> Attempt:
    # A changelog may have the word `vanished`, too; there it is unknown.
    is_inferred = file_name == SNAPSHOT and row.op_type == VANISHED
    read_as = "removed" if is_inferred else row.read_as or row.op_type
    operation, reported_op_type = map_reported_op_type(read_as)
    return Attempt(
        row=LoggedRow(
            identifier=row.row_id,
            record_payload=row.fields,
            operation=row.op_type,
            status=row.status,
            status_message=row.failure_reason,
        ),
        file_name=file_name,
        row_index=position,
        operation=operation,
        record_status=map_status(row.status, row.row_id),
        reported_op_type=reported_op_type,
        split_group=row.split_group,
        is_deleted=is_deleted,
        is_inferred=is_inferred,
    )


def precedence(row: ChangelogRow) -> tuple[int, list[tuple[bool, bytes]]]:
    """Order rows with one key: the first one counts."""
    # The rules end with `fields`; the split group comes last so that the order is total.
    status = map_status(row.status, row.row_id)
    texts = (row.status, row.failure_reason, row.fields, row.split_group)
    return status_rank(status), [byte_order(text) for text in texts]


def status_rank(status: str) -> int:
    """Rank a status, from what counts first."""
    return STATUS_ORDER.index(status) if status in STATUS_ORDER else len(STATUS_ORDER)


def _run_id(row: SourceRow) -> RunId:
    sync_id, sync_run_id = as_text(row.get("sync_id")), as_text(row.get("sync_run_id"))
    if sync_id is None or sync_run_id is None:
        raise ValueError(f"expected sync_id and sync_run_id, given {dict(row)}")
    return sync_id, sync_run_id
