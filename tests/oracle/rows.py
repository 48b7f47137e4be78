"""The columns of every computed table, and the rows that need no state."""

from .history import Attempt, Run, Sync
from .lake import FACT_TABLES, FactRow, Lake, fact_table
from .metadata import split_group
from .outcomes import ChangelogEntry
from .sources import Source
from .vocabulary import DISPLAY_STATUSES

Row = dict[str, object]

STAGES = ("planned", "attempted", "succeeded", "failed")
COUNTED_OP_TYPES = {"add": "added", "change": "changed", "remove": "removed"}

# The last columns of every table whose rows belong to a source.
SOURCE = ("source_name", "vendor")

COLUMNS: dict[str, tuple[str, ...]] = {
    "sync_records": (
        *("organization_id", "sync_id", "sync_run_id", "identifier", "display_status"),
        *("status_message", "record_payload", "operation", "batch_started_at", "batch_ended_at"),
        *("record_status", "file_name", "row_index", "batch_type", "batch_number"),
        *("payload_kind", *SOURCE),
    ),
    "sync_log": (
        *("organization_id", "sync_id", "sync_run_id", "record_identifier", "record_payload"),
        *("batch_started_at", "batch_completed_at", "operation", "status", "status_message"),
        *("destination_id", "destination_object_id", "source_id", "source_object_id"),
        *("payload_kind", *SOURCE),
    ),
    "source_objects": (
        *("organization_id", "id", "type", "name", "model_id", "business_object_id"),
        *("filter_segment_id", "cohort_id", *SOURCE),
    ),
    "destinations": ("organization_id", "id", "type", "name", *SOURCE),
    "destination_objects": ("organization_id", "id", "type", "name", *SOURCE),
    "sync_changelog": (
        *("organization_id", "sync_id", "sync_run_id", "op_type", "row_id", "status"),
        *("failed_reason", "failure_reason", "fields", "split_group", "file_name", "row_index"),
        *("attempted_at", "payload_kind", *SOURCE),
    ),
    "sync_snapshot": (
        *("organization_id", "sync_id", "op_type", "row_id", "status"),
        *("failed_reason", "failure_reason", "fields", "split_group"),
        *("is_delivered", "last_sync_run_id", "last_attempted_at"),
        *("payload_kind", *SOURCE),
    ),
    "sync_runs": (
        *("organization_id", "sync_id", "sync_run_id", "primary_key", "destination"),
        *("model_name", "model_id", "status", "error", "started_at", "finished_at"),
        *(f"num_{stage}_{suffix}" for stage in (*STAGES, "invalid") for suffix in COUNTED_OP_TYPES),
        *("reported_status", "order_at", "is_log_complete", *SOURCE),
    ),
    "audience_memberships": (
        *("organization_id", "sync_id", "row_id", "audience_name", "entered_at", "exited_at"),
        *("entered_sync_run_id", "exited_sync_run_id", "entry_observed", "exit_observed"),
        *SOURCE,
    ),
    "log_coverage": (
        *("sync_id", "sync_run_id"),
        *(f"{origin}_{stage}_count" for origin in ("reported", "logged") for stage in STAGES),
        *("stored_row_count", "deleted_row_count", "duplicate_row_count", "issue"),
        *("organization_id", *SOURCE),
    ),
}


def record_row(run: Run, attempt: Attempt) -> Row:
    """Shape a row of `sync_records`."""
    return {
        **run_key(run),
        "identifier": attempt.identifier,
        "display_status": DISPLAY_STATUSES[attempt.record_status],
        "status_message": attempt.row.status_message,
        "record_payload": attempt.row.record_payload,
        "operation": attempt.row.operation,
        "batch_started_at": attempt.row.batch_started_at,
        "batch_ended_at": attempt.row.batch_ended_at,
        "record_status": attempt.record_status,
        "file_name": attempt.file_name,
        "row_index": attempt.row_index,
        "batch_type": attempt.batch_type,
        "batch_number": attempt.batch_number,
        "payload_kind": run.source.payload_kind,
    }


def sync_log_row(run: Run, attempt: Attempt) -> Row:
    """Shape a row of `sync_log` from an attempt that reached the destination."""
    return {
        **run_key(run),
        "record_identifier": attempt.identifier,
        "record_payload": attempt.row.record_payload,
        "batch_started_at": attempt.row.batch_started_at,
        "batch_completed_at": attempt.row.batch_ended_at,
        "operation": attempt.row.operation,
        "status": "succeeded" if attempt.record_status == "succeeded" else "rejected",
        "status_message": attempt.row.status_message,
        "destination_id": run.metadata.destination_id,
        "destination_object_id": run.metadata.destination_object_id,
        "source_id": run.metadata.source_id,
        "source_object_id": run.metadata.source_object_id,
        "payload_kind": run.source.payload_kind,
    }


def changelog_row(run: Run, entry: ChangelogEntry, op_type: str) -> Row:
    """Shape a row of `sync_changelog`."""
    return {
        **run_key(run),
        **outcome_columns(run, entry),
        "op_type": op_type,
        "file_name": entry.attempt.file_name,
        "row_index": entry.attempt.row_index,
        "attempted_at": run.reported_time_of(entry.attempt),
    }


def outcome_columns(run: Run, entry: ChangelogEntry) -> Row:
    """Shape the columns that changelog and snapshot share for an attempt."""
    payload = entry.attempt.row.record_payload
    split_field = run.metadata.split_group_field
    group = entry.attempt.split_group
    return {
        "row_id": entry.attempt.identifier,
        "status": entry.status,
        "failed_reason": entry.failed_reason,
        "failure_reason": entry.failed_reason,
        "fields": payload,
        "split_group": split_group(payload, split_field) if group is None else group,
        "payload_kind": run.source.payload_kind,
    }


def run_key(run: Run) -> Row:
    """Return the key columns of a run, and those of its source."""
    return {**sync_key(run), "sync_run_id": run.sync_run_id}


def sync_key(owner: Run | Sync) -> Row:
    """Return the key columns of a sync, and those of its source."""
    return {
        **organization_key(owner.organization_id, owner.source),
        "sync_id": owner.sync_id,
    }


def organization_key(organization_id: str, source: Source) -> Row:
    """Return the key column of an organisation, and the columns of the source that has it."""
    return {
        "organization_id": organization_id,
        "source_name": source.name,
        "vendor": source.vendor,
    }


def fact_rows(lake: Lake) -> dict[str, list[Row]]:
    """Shape the fact tables: of rows with the same id, the last file and row win (decision R13)."""
    last_rows: dict[str, dict[tuple[str, str], FactRow]] = {table: {} for table in FACT_TABLES}
    # All files of an organisation are in one folder, so paths have the order of names.
    for path in sorted(lake.facts):
        _, organization_id, file_name = path.split("/")
        table = fact_table(file_name)
        for row in lake.facts[path] or ():
            row_id = row.get("id")
            if table is not None and row_id is not None:
                last_rows[table][organization_id, row_id] = row
    return {
        table: [
            {
                **{column: row.get(column) for column in COLUMNS[table]},
                **organization_key(organization_id, lake.source),
            }
            for (organization_id, _), row in rows.items()
        ]
        for table, rows in last_rows.items()
    }
