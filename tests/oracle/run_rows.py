"""Counts, status and time of a run."""

from datetime import datetime

from .history import Run
from .outcomes import ChangelogEntry, is_invalid
from .rows import COUNTED_OP_TYPES, Row, run_key


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


def run_status(run: Run, is_settled: bool, entries: list[ChangelogEntry]) -> str | None:
    """Return the status of a run: as reported if that is known, otherwise from its rows."""
    if not is_settled:
        return None
    if run.reported_status is not None:
        return run.reported_status
    if any(entry.status == "aborted" for entry in entries):
        return "failed"
    sent = [entry for entry in entries if not is_invalid(entry.attempt)]
    if sent and all(entry.status == "failed" for entry in sent):
        return "failed"
    return "succeeded"


def _counts(changelog: list[tuple[ChangelogEntry, str]]) -> dict[str, int]:
    counts = {}
    for suffix, op_type in COUNTED_OP_TYPES.items():
        entries = [entry for entry, its_op_type in changelog if its_op_type == op_type]
        counts[f"num_planned_{suffix}"] = len(entries)
        counts[f"num_attempted_{suffix}"] = sum(e.status != "aborted" for e in entries)
        counts[f"num_succeeded_{suffix}"] = sum(e.status == "succeeded" for e in entries)
        counts[f"num_failed_{suffix}"] = sum(e.status == "failed" for e in entries)
        counts[f"num_invalid_{suffix}"] = sum(is_invalid(e.attempt) for e in entries)
    return counts
