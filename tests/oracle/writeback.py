"""The table of Census Warehouse Writeback, and the runs that it shows (docs/sources.md).

A row is an attempt to send a record, with the times of its batch. Everything else is as in
docs/semantics.md.
"""

from functools import partial

from .hightouch import SourceRow
from .lake import LoggedRow, as_text
from .metadata import RunMetadata
from .sources import Source
from .sync_log_table import SYNC_LOG, RunFacts, SentRow, read_any_time, read_ids, runs_seen
from .values import byte_order

__all__ = ["ID_COLUMNS", "SYNC_LOG", "read_facts", "read_row", "runs_after", "source_of"]

ID_COLUMNS = ("source_id", "source_object_id", "destination_id", "destination_object_id")


def source_of(name: str) -> Source:
    """Return what is known about a source of type census_writeback."""
    return Source(name, "census", payload_kind="sent_record", logs_invalid_records=False)


def read_row(row: SourceRow) -> SentRow | None:
    """Read a row; None without an id of its sync or run."""
    ids = read_ids(row, "sync_id")
    if ids is None:
        return None
    log_id = as_text(row.get("log_id"))
    return SentRow(
        *ids,
        key_in_run=(log_id,),
        logged=LoggedRow(
            identifier=as_text(row.get("record_identifier")),
            record_payload=as_text(row.get("record_payload")),
            operation=as_text(row.get("operation")),
            status=as_text(row.get("status")),
            status_message=as_text(row.get("status_message")),
            batch_started_at=read_any_time(row.get("batch_started_at")),
            batch_ended_at=read_any_time(row.get("batch_completed_at")),
        ),
        log_id=log_id,
        logged_at=read_any_time(row.get("_census_logged_at")),
    )


def read_facts(rows: list[SourceRow]) -> RunFacts:
    """Read the ids of source and destination: the greatest text of each."""
    found: dict[str, str | None] = {}
    for column in ID_COLUMNS:
        texts = [text for text in (as_text(row.get(column)) for row in rows) if text is not None]
        found[column] = max(texts, key=byte_order, default=None)
    return RunFacts(
        RunMetadata(
            source_id=found["source_id"],
            source_object_id=found["source_object_id"],
            destination_id=found["destination_id"],
            destination_object_id=found["destination_object_id"],
        )
    )


runs_after = partial(runs_seen, source_of, read_row, read_facts)
