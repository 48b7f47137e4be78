"""A table of a vendor with one row for each attempt to send a record, as plain Python objects.

What is known about a run is in its rows, too. It is what the table said when the run was last read.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from .hightouch import RunId, SourceRow, status_rank
from .history import EARLIEST, Attempt, Run
from .lake import LoggedRow, as_text, as_time
from .metadata import RunMetadata, read_time
from .sources import Source
from .values import byte_order, grouped
from .vocabulary import map_operation, map_status

SYNC_LOG = "sync_log"

# Sync, run, and what tells the rows of a run apart.
RowKey = tuple[str, str, tuple[str | None, ...]]


@dataclass(frozen=True)
class SentRow:
    """One row, ids as text; missing columns are null."""

    sync_id: str
    sync_run_id: str
    key_in_run: tuple[str | None, ...]
    logged: LoggedRow
    log_id: str | None = None
    logged_at: datetime | None = None

    @property
    def run_id(self) -> RunId:
        """Sync and run."""
        return self.sync_id, self.sync_run_id

    @property
    def key(self) -> RowKey:
        """The vendor's key; rows with the same key count once."""
        return self.sync_id, self.sync_run_id, self.key_in_run


@dataclass(frozen=True)
class RunFacts:
    """What the rows of a run say about the run: its facts, and the time of rows without one."""

    metadata: RunMetadata = field(default_factory=RunMetadata)
    rows_ended_at: datetime | None = None


@dataclass(frozen=True)
class SeenTable:
    """Everything that was seen in one table: one row per key, and the facts of each run."""

    organization_id: str
    source: Source
    rows: dict[RowKey, SentRow] = field(default_factory=dict)
    facts: dict[RunId, RunFacts] = field(default_factory=dict)
    # The keys that the table has now.
    present: frozenset[RowKey] = frozenset()
    # How many rows repeated the key of another one when the run was last read.
    duplicate_counts: dict[RunId, int] = field(default_factory=dict)


ReadRow = Callable[[SourceRow], SentRow | None]
ReadFacts = Callable[[list[SourceRow]], RunFacts]


def runs_seen(
    source_of: Callable[[str], Source],
    read_row: ReadRow,
    read_facts: ReadFacts,
    organization_id: str,
    source_name: str,
    contents: Iterable[Mapping[str, Iterable[SourceRow]]],
) -> list[Run]:
    """List the runs that builds have seen which found these contents, one after another.

    Vendors differ in the first three arguments only.
    """
    seen = nothing = SeenTable(organization_id, source_of(source_name))
    for content in contents:
        seen = merge(seen, read_table(nothing, content.get(SYNC_LOG, ()), read_row, read_facts))
    return runs_of(seen)


def read_table(
    nothing: SeenTable,
    rows: Iterable[SourceRow],
    read_row: ReadRow,
    read_facts: ReadFacts,
) -> SeenTable:
    """Read the rows that are in a table at one time; `read_row` is None for what is not read."""
    found: list[SentRow] = []
    rows_by_run: dict[RunId, list[SourceRow]] = {}
    for source_row in rows:
        row = read_row(source_row)
        if row is not None:
            found.append(row)
            rows_by_run.setdefault(row.run_id, []).append(source_row)
    kept: dict[RowKey, SentRow] = {}
    for row in sorted(found, key=_precedence):
        kept.setdefault(row.key, row)
    duplicate_counts = {run_id: len(its_rows) for run_id, its_rows in rows_by_run.items()}
    for row in kept.values():
        duplicate_counts[row.run_id] -= 1
    return replace(
        nothing,
        rows=kept,
        facts={run_id: read_facts(its_rows) for run_id, its_rows in rows_by_run.items()},
        present=frozenset(kept),
        duplicate_counts=duplicate_counts,
    )


def merge(old: SeenTable, new: SeenTable) -> SeenTable:
    """Return all rows ever seen: the newer content of a key wins, and rows that vanished stay."""
    return replace(
        new,
        rows={**old.rows, **new.rows},
        facts={**old.facts, **new.facts},
        duplicate_counts={**old.duplicate_counts, **new.duplicate_counts},
    )


def runs_of(table: SeenTable) -> list[Run]:
    """List the runs of a table, in no particular order."""
    rows_by_run = grouped(table.rows.values(), lambda row: row.run_id)
    return [_run(table, run_id, rows) for run_id, rows in rows_by_run.items()]


def read_ids(row: SourceRow, sync_column: str) -> RunId | None:
    """Read the ids of the sync and the run; a row without one of them is not read."""
    sync_id, sync_run_id = as_text(row.get(sync_column)), as_text(row.get("sync_run_id"))
    return None if sync_id is None or sync_run_id is None else (sync_id, sync_run_id)


def read_any_time(value: object) -> datetime | None:
    """Read a time, or a text that is one."""
    return read_time(value) if isinstance(value, str) else as_time(value)


def _run(table: SeenTable, run_id: RunId, rows: list[SentRow]) -> Run:
    sync_id, sync_run_id = run_id
    facts = table.facts[run_id]
    return Run(
        organization_id=table.organization_id,
        sync_id=sync_id,
        sync_run_id=sync_run_id,
        metadata=facts.metadata,
        attempts=tuple(
            _attempt(row, position, is_deleted=row.key not in table.present)
            for position, row in enumerate(sorted(rows, key=_row_order))
        ),
        duplicate_row_count=table.duplicate_counts[run_id],
        rows_ended_at=facts.rows_ended_at,
        source=table.source,
    )


def _attempt(row: SentRow, position: int, is_deleted: bool) -> Attempt:
    return Attempt(
        row=row.logged,
        file_name=SYNC_LOG,
        row_index=position,
        operation=map_operation(row.logged.operation),
        record_status=map_status(row.logged.status, row.logged.identifier),
        log_id=row.log_id,
        logged_at=row.logged_at,
        is_deleted=is_deleted,
    )


def _row_order(row: SentRow) -> tuple[datetime, list[tuple[bool, bytes]]]:
    # Nulls first. The rules do not order rows with one time; then the key makes it repeatable.
    return row.logged.batch_ended_at or EARLIEST, [byte_order(text) for text in row.key_in_run]


def _precedence(row: SentRow) -> tuple[timedelta, int, list[tuple[bool, bytes]], str]:
    """Order the rows of a key: the one that was logged last first; the rest makes it total."""
    logged = row.logged
    status = map_status(logged.status, logged.identifier)
    texts = (logged.status, logged.status_message, logged.record_payload)
    age = EARLIEST - (row.logged_at or EARLIEST)
    return age, status_rank(status), [byte_order(text) for text in texts], repr(row)
