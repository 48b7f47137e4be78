"""The sync-log table of RudderStack, and the runs that it shows (docs/sources.md).

A row is what a run did with a record. It has no time of its own: the last finish of its run,
otherwise the last start, is its time. Everything else is as in docs/semantics.md.
"""

from datetime import datetime
from functools import partial

from .hightouch import SourceRow
from .lake import LoggedRow, as_text
from .metadata import RunMetadata
from .sources import Source
from .sync_log_table import SYNC_LOG, RunFacts, SentRow, read_any_time, read_ids, runs_seen
from .values import latest

__all__ = ["SYNC_LOG", "read_facts", "read_row", "runs_after", "source_of"]


def source_of(name: str) -> Source:
    """Return what is known about a source of type rudderstack."""
    return Source(name, "rudderstack", payload_kind=None, logs_invalid_records=False)


def read_row(row: SourceRow) -> SentRow | None:
    """Read a row; None without an id of its sync or run."""
    ids = read_ids(row, "connection_id")
    if ids is None:
        return None
    primary_key, operation = as_text(row.get("primary_key")), as_text(row.get("operation"))
    return SentRow(
        *ids,
        key_in_run=(primary_key, operation),
        logged=LoggedRow(
            identifier=primary_key,
            operation=operation,
            status=as_text(row.get("status")),
            status_message=as_text(row.get("error_reason")),
        ),
    )


def read_facts(rows: list[SourceRow]) -> RunFacts:
    """Read the times of a run from its rows: the last ones."""
    started_at, finished_at = _last(rows, "sync_started_at"), _last(rows, "sync_finished_at")
    return RunFacts(
        RunMetadata(sync_run_started_at=started_at, sync_run_finished_at=finished_at),
        rows_ended_at=finished_at or started_at,
    )


def _last(rows: list[SourceRow], column: str) -> datetime | None:
    return latest(read_any_time(row.get(column)) for row in rows)


runs_after = partial(runs_seen, source_of, read_row, read_facts)
