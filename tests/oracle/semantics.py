"""The documented tables, computed from a lake (docs/semantics.md)."""

from collections.abc import Iterable
from datetime import datetime

from .coverage import coverage_rows, is_log_complete
from .delivered import Delivered, deliver
from .history import Sync, read_syncs
from .lake import FACT_TABLES, Lake, as_utc
from .outcomes import changelog_entries, op_type
from .rows import COLUMNS, Row, changelog_row, fact_rows, record_row, sync_key, sync_log_row
from .run_rows import run_row
from .snapshot import snapshot_rows
from .values import last_known
from .vocabulary import REACHED

__all__ = ["COLUMNS", "compute"]


def compute(lake: Lake, as_of: datetime) -> dict[str, list[Row]]:
    """Compute the rows of every table as of a time, from all files of a lake."""
    return fact_rows(lake) | tables_of(read_syncs(lake, as_utc(as_of)))


def tables_of(syncs: Iterable[Sync]) -> dict[str, list[Row]]:
    """Compute the rows of every table that comes from logs."""
    tables: dict[str, list[Row]] = {name: [] for name in COLUMNS if name not in FACT_TABLES}
    for sync in syncs:
        delivered = deliver(sync)
        for position, run in enumerate(sync.runs):
            members_before = delivered.members_before_run[position]
            changelog = [
                (entry, op_type(entry.attempt, members_before)) for entry in changelog_entries(run)
            ]
            reached = [attempt for attempt in run.attempts if attempt.record_status in REACHED]
            tables["sync_records"] += [record_row(run, attempt) for attempt in run.attempts]
            tables["sync_log"] += [sync_log_row(run, attempt) for attempt in reached]
            tables["sync_changelog"] += [
                changelog_row(run, entry, its_op_type) for entry, its_op_type in changelog
            ]
            tables["sync_runs"].append(
                run_row(run, sync.settled[position], changelog)
                | {"is_log_complete": is_log_complete(sync, position)}
            )
        tables["sync_snapshot"] += snapshot_rows(sync, delivered)
        tables["log_coverage"] += coverage_rows(sync)
        tables["audience_memberships"] += _membership_rows(sync, delivered)
    return tables


def _membership_rows(sync: Sync, delivered: Delivered) -> list[Row]:
    name = last_known([run.metadata.model_name for run in sync.runs])
    return [
        {
            **sync_key(sync),
            "row_id": membership.row_id,
            "audience_name": name,
            "entered_at": membership.entered_at,
            "exited_at": membership.exited_at,
            "entered_sync_run_id": membership.entered_sync_run_id,
            "exited_sync_run_id": membership.exited_sync_run_id,
            "entry_observed": membership.entry_observed,
            "exit_observed": membership.exit_observed,
        }
        for membership in delivered.memberships
    ]
