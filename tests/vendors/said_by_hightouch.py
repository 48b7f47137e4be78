"""What Hightouch's tables can say of a lake: the tables, and what is left out, with the reasons.

Hightouch's tables have one outcome of each record in each run, and its op_type. A lake has more:
every attempt with its time and operation. So a build from them cannot say the same of every record.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from oracle import SourceHistory, SourceStep, SourceTable, read_lake
from oracle.hightouch import CHANGELOG, COUNT_COLUMNS, RUNS
from oracle.history import Attempt, Run, Sync, read_syncs
from oracle.lake import as_utc
from oracle.outcomes import final_attempt
from oracle.vocabulary import REACHED

Row = dict[str, object]
Tables = Mapping[str, Sequence[Row]]

CHANGELOG_COLUMNS = (
    *("sync_id", "sync_run_id", "op_type", "row_id", "status", "failed_reason", "fields"),
    "split_group",
)
TEXTS_OF_RUNS = (
    *("sync_id", "sync_run_id", "primary_key", "destination", "model_name", "model_id", "status"),
    "error",
)
TIMES_OF_RUNS = ("started_at", "finished_at")

# What a vendor's tables cannot say, with the reason: tables, columns, and columns of one table.
UNSAID = {
    "sync_records": "attempts before the outcome, and rows that were not sent, are not logged",
    "sync_log": "attempts before the outcome are not logged",
    "log_coverage": "it compares what the vendor reports with what it logs; a lake reports nothing",
    "error_clusters": "its rows are of no organisation, and depend on all patterns",
    "is_log_complete": "as log_coverage",
    "incomplete_run_count": "as log_coverage",
    "sync_alerts": "rules of time see other times, and the vendor reports the counts of runs",
    "sync_health": "as sync_alerts",
    "source_objects": "the vendor has no such facts",
    "destinations": "the vendor has no such facts",
    "destination_objects": "the vendor has no such facts",
    "source_name": "another source",
    "vendor": "another vendor",
    "payload_kind": "another vendor logs another kind of payload",
    "file_name": "a table, not a file",
    "row_index": "place in a table",
    "changelog_id": "made from the place",
    "bystander_count": "the vendor logs no batches",
    "has_metadata_file": "a run has a row in `sync_runs`, whether it had a file or not",
    "has_unreadable_files": "a table has no files",
    "first_batch_started_at": "the vendor logs no time of a row",
    "last_batch_ended_at": "the vendor logs no time of a row",
    "first_seen_at": "the vendor logs no time of a row; that of its run is compared elsewhere",
    "last_seen_at": "as first_seen_at",
    "first_attempted_at": "as first_seen_at",
    "first_added_at": "as first_seen_at",
    "last_succeeded_at": "as first_seen_at",
    "last_failed_at": "as first_seen_at",
    "record_history.entered_at": "as first_seen_at; the memberships have the time of the run",
    "audience_events.event_at": "as record_history.entered_at",
    "record_failures.started_at": "as first_seen_at",
    "record_failures.ended_at": "as first_seen_at",
    "records_to_retry.started_at": "as first_seen_at",
    "repaired_at": "as first_seen_at",
    "failing_since_at": "as first_seen_at",
    "hours_open": "as first_seen_at",
    "median_hours_to_repair": "as first_seen_at",
    "audience_members.entered_at": "as record_history.entered_at",
    "flapping_records.last_attempted_at": "as first_seen_at",
    "field_changes.changed_at": "as first_seen_at",
    "payload_schema_changes.run_at": "as first_seen_at",
    "declared_type": "the vendor declares no types",
    "is_as_declared": "as declared_type",
    "field_statistics": "rows that were not sent are compared too; field_changes is without them",
    "audience_events.is_observed": "an update is `added` or `changed`; compared in memberships",
    "audience_members.entry_observed": "as audience_events.is_observed",
    "record_status": "the vendor does not log rows that were not sent; here they are failed rows",
    "invalid_count": "as record_status",
    "invalid_rate": "as record_status",
    "rejection_rate": "as record_status: failed rows that were sent, by all that were sent",
    "attempts_per_delivered_change": "as record_status",
    "sync_runs.record_count": "the number of attempts",
    "sync_statistics.median_run_seconds": "a lake knows the start of a run only if it is reported",
}


def as_sources(tables: Tables, as_of: datetime) -> list[SourceHistory]:
    """Give the changelog and the runs of each organisation as a source of its own."""
    organizations = sorted({str(row["organization_id"]) for row in tables[RUNS]})
    return [
        SourceHistory(
            type="hightouch",
            source_name=f"organization_{number}",
            organization_setting=organization,
            steps=(SourceStep(_tables_of(tables, organization), as_of),),
        )
        for number, organization in enumerate(organizations)
    ]


def _tables_of(tables: Tables, organization: str) -> dict[str, SourceTable]:
    changelog, runs = (
        [row for row in tables[name] if row["organization_id"] == organization]
        for name in (CHANGELOG, RUNS)
    )
    types = dict.fromkeys(TEXTS_OF_RUNS, "string") | dict.fromkeys(TIMES_OF_RUNS, "timestamp")
    types |= dict.fromkeys(COUNT_COLUMNS, "bigint")
    return {
        CHANGELOG: SourceTable(
            dict.fromkeys(CHANGELOG_COLUMNS, "string"),
            tuple({column: row[column] for column in CHANGELOG_COLUMNS} for row in changelog),
        ),
        RUNS: SourceTable(
            types, tuple({column: run[column] for column in types} for run in map(as_run, runs))
        ),
    }


def as_run(row: Row) -> Row:
    """Return a row of our `sync_runs` as the vendor has it.

    A vendor reports when a run began, which orders its runs, and no end of a run that goes on.
    """
    ended_at = row["finished_at"] if row["status"] is not None else None
    return row | {"started_at": row["order_at"], "finished_at": ended_at}


def leave_what_can_be_said(root: Path, as_of: datetime) -> None:
    """Delete the rows of a lake of which the changelog of a vendor cannot tell the effect."""
    # without a row, another one can be the first of its record
    while dropped := _unsaid_rows(root, as_of):
        for path, indexes in dropped.items():
            with (root / path).open("rb") as file:
                table = pq.read_table(file, use_threads=False)
            kept = [index for index in range(table.num_rows) if index not in indexes]
            pq.write_table(table.take(pa.array(kept, pa.int64())), root / path)


def _unsaid_rows(root: Path, as_of: datetime) -> dict[str, set[int]]:
    dropped: dict[str, set[int]] = {}
    for sync in read_syncs(read_lake(root), as_utc(as_of)):
        late = _late_starts(sync)
        for run in sync.runs:
            for attempt in unsaid(run, late):
                path = "/".join(("sync_tracking_datasets", *run.key, attempt.file_name))
                dropped.setdefault(path, set()).add(attempt.row_index)
    return dropped


def _late_starts(sync: Sync) -> set[str | None]:
    """Find the records whose first attempt that was sent is a delete."""
    first: dict[str | None, Attempt] = {}
    for run in sync.runs:
        for attempt in run.attempts:
            if attempt.record_status in REACHED:
                first.setdefault(attempt.identifier, attempt)
    return {row_id for row_id, attempt in first.items() if attempt.operation == "delete"}


def unsaid(run: Run, late: set[str | None]) -> list[Attempt]:
    """List the attempts of a run of which its changelog cannot tell the effect."""
    found = [one for one in run.attempts if not _has_told_effect(one, late)]
    by_record: dict[object, list[Attempt]] = {}
    for attempt in run.attempts:
        if attempt not in found:
            by_record.setdefault(attempt.identifier, []).append(attempt)
    for attempts in by_record.values():
        # a success before a failure: the outcome is the failure, and the record is in
        final = next((one for one in reversed(attempts) if one.record_status == "succeeded"), None)
        final = final or final_attempt(attempts)
        is_delete = final.operation == "delete"
        after = attempts.index(final) + 1
        for place, attempt in enumerate(attempts):
            # retries of the same kind, each of which was sent
            is_retry = attempt.record_status in REACHED and place < after
            if attempt is not final and (
                not is_retry or (attempt.operation == "delete") != is_delete
            ):
                found.append(attempt)
    return found


def _has_told_effect(attempt: Attempt, late: set[str | None]) -> bool:
    # They have no key, or no state; a mirror run takes out records that it does not name.
    if attempt.identifier is None or attempt.operation in ("append", "mirror", "unknown"):
        return False
    # Here, a row that was not sent counts as failed. So it would be the record's first attempt.
    is_sent = attempt.record_status in (*REACHED, "not_attempted")
    return is_sent or not (attempt.operation == "delete" or attempt.identifier in late)
