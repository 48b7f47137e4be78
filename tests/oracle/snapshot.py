"""The last known outcome of every record of a sync."""

from dataclasses import dataclass

from .delivered import Delivered
from .history import Attempt, Run, Sync
from .outcomes import changelog_entry, final_attempt, is_invalid, op_type
from .rows import Row, outcome_columns, sync_key
from .values import grouped


@dataclass(frozen=True)
class LastOutcome:
    """The final attempt of a record in the last run that has it."""

    position: int
    attempt: Attempt


def snapshot_rows(sync: Sync, delivered: Delivered) -> list[Row]:
    """Shape the rows of one sync in `sync_snapshot`."""
    last_outcomes: dict[str, LastOutcome] = {}
    for position, run in enumerate(sync.runs):
        for row_id, attempt in final_attempts(run).items():
            last_outcomes[row_id] = LastOutcome(position, attempt)
    replacing = (position for position, is_one in enumerate(delivered.replacing_runs) if is_one)
    last_replacing = max(replacing, default=0)
    rows = []
    for row_id, last in last_outcomes.items():
        is_deleted = last.attempt.operation == "delete" and row_id not in delivered.members
        if not is_deleted and last.position >= last_replacing:
            rows.append(_snapshot_row(sync, delivered, row_id, last))
    return rows


def final_attempts(run: Run) -> dict[str, Attempt]:
    """Return the final attempt of every non-null key, including `append` rows (decision R14)."""
    by_identifier = grouped(run.attempts, lambda one: one.identifier)
    return {
        row_id: _final_attempt(attempts)
        for row_id, attempts in by_identifier.items()
        if row_id is not None
    }


def _final_attempt(attempts: list[Attempt]) -> Attempt:
    # All attempts with state are one record, and each `append` row is one: several final attempts.
    with_state = [attempt for attempt in attempts if attempt.has_state]
    finals = [attempt for attempt in attempts if not attempt.has_state]
    if with_state:
        finals.append(final_attempt(with_state))
    finals.sort(key=attempts.index)
    valid = [attempt for attempt in finals if not is_invalid(attempt)]
    return valid[-1] if valid else finals[-1]


def _snapshot_row(sync: Sync, delivered: Delivered, row_id: str, last: LastOutcome) -> Row:
    run = sync.runs[last.position]
    took_part = last.position == _latest_position(sync)
    members_before = delivered.members_before_run[last.position]
    return {
        **sync_key(sync),
        **outcome_columns(run, changelog_entry(last.attempt)),
        "op_type": op_type(last.attempt, members_before) if took_part else "unchanged",
        "is_delivered": row_id in delivered.members,
        "last_sync_run_id": run.sync_run_id,
        "last_attempted_at": run.time_of(last.attempt),
    }


def _latest_position(sync: Sync) -> int:
    # A run that is only announced does not show yet which records it has.
    return max(
        position for position, run in enumerate(sync.runs) if run.attempts or sync.settled[position]
    )
