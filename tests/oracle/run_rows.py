"""Counts, status and time of a run."""

from datetime import datetime

from .history import Run
from .outcomes import ChangelogEntry, counts_by_stage, is_invalid
from .rows import COUNTED_OP_TYPES, Row, run_key
from .values import earliest, microseconds_between


def run_row(run: Run, is_settled: bool, changelog: list[tuple[ChangelogEntry, str]]) -> Row:
    """Shape a row of `sync_runs` from the run's changelog entries and their op types."""
    return {
        **run_key(run),
        "primary_key": run.metadata.primary_key,
        "destination": run.metadata.destination_type,
        "model_name": run.metadata.model_name,
        "model_id": run.metadata.model_id,
        "status": run_status(run, is_settled, [entry for entry, _ in changelog]),
        "error": run.metadata.sync_run_error,
        "started_at": run.metadata.sync_run_started_at,
        "finished_at": finished_at(run),
        **_counts(changelog),
        **run.reported_counts,
        "reported_status": run.metadata.sync_run_status,
        "order_at": run.order_at,
    }


def finished_at(run: Run) -> datetime | None:
    """Return when a run finished: as reported, or else the end of its last batch."""
    return run.metadata.sync_run_finished_at or run.last_batch_ended_at


def run_at(run: Run) -> datetime | None:
    """Return the time of a run in alerts and changes: its finish, or else its `order_at`."""
    return finished_at(run) or run.order_at


def microseconds_of(run: Run) -> int | None:
    """Return how long a run lasted: from its reported start, or else that of its first batch."""
    first_batch_at = earliest(attempt.row.batch_started_at for attempt in run.attempts)
    return microseconds_between(
        run.metadata.sync_run_started_at or first_batch_at, finished_at(run)
    )


def run_status(run: Run, is_settled: bool, entries: list[ChangelogEntry]) -> str | None:
    """Return the status of a run: as reported if that is known, otherwise from its rows."""
    if not is_settled:
        return None
    if run.reported_status is not None:
        return run.reported_status
    if any(entry.status == "aborted" for entry in entries):
        return "failed"
    sent = [entry for entry in entries if not is_invalid(entry.attempt)]
    if sent and all(entry.status == "failed" for entry in sent) and are_successes_known(run):
        return "failed"
    return "succeeded"


def are_successes_known(run: Run) -> bool:
    """Whether the source of a run logs what succeeded, or has reported how much it was."""
    return run.source.logs_succeeded_records or bool(run.reported_counts)


def _counts(changelog: list[tuple[ChangelogEntry, str]]) -> dict[str, int]:
    counts = {}
    for suffix, op_type in COUNTED_OP_TYPES.items():
        entries = [entry for entry, its_op_type in changelog if its_op_type == op_type]
        for stage, count in counts_by_stage(entries).items():
            counts[f"num_{stage}_{suffix}"] = count
    return counts
