"""Delivered state after each run, and the memberships that follow (docs/semantics.md)."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from .history import Attempt, Run, Sync
from .outcomes import changelog_entries
from .values import latest
from .vocabulary import REACHED


@dataclass(frozen=True)
class Membership:
    """One interval in which a record was in; it is open while `exit_observed` is None."""

    row_id: str
    entered_at: datetime | None
    entered_sync_run_id: str | None
    entry_observed: bool
    exited_at: datetime | None = None
    exited_sync_run_id: str | None = None
    exit_observed: bool | None = None


@dataclass
class Delivered:
    """What has been delivered so far; each run adds to it."""

    members: dict[str, Membership] = field(default_factory=dict)
    past_memberships: list[Membership] = field(default_factory=list)
    members_before_run: list[frozenset[str]] = field(default_factory=list)
    replacing_runs: list[bool] = field(default_factory=list)
    reached_identifiers: set[str] = field(default_factory=set)
    last_event_at: dict[str, datetime | None] = field(default_factory=dict)

    @property
    def memberships(self) -> list[Membership]:
        """All intervals, closed and open."""
        return [*self.past_memberships, *self.members.values()]

    def event_at(self, row_id: str, own_time: datetime | None) -> datetime | None:
        """Return the time of an event of a record, never before the record's previous event."""
        self.last_event_at[row_id] = latest([own_time, self.last_event_at.get(row_id)])
        return self.last_event_at[row_id]

    def enter(self, row_id: str, run: Run, deciding: Attempt, is_first_run: bool) -> None:
        """Open an interval."""
        self.members[row_id] = Membership(
            row_id=row_id,
            entered_at=self.event_at(row_id, run.time_of(deciding)),
            entered_sync_run_id=run.sync_run_id,
            entry_observed=not is_first_run and deciding.operation != "update",
        )

    def leave(self, row_id: str, run: Run, own_time: datetime | None, observed: bool) -> None:
        """Close the open interval of a record."""
        self.past_memberships.append(
            replace(
                self.members.pop(row_id),
                exited_at=self.event_at(row_id, own_time),
                exited_sync_run_id=run.sync_run_id,
                exit_observed=observed,
            )
        )


def deliver(sync: Sync) -> Delivered:
    """Apply the runs of a sync in their order."""
    delivered = Delivered()
    for run, settled in zip(sync.runs, sync.settled, strict=True):
        _find_late_starts(delivered, run)
        delivered.members_before_run.append(frozenset(delivered.members))
        deciding_attempts = _deciding_attempts(run)
        for row_id, deciding in deciding_attempts.items():
            is_member = row_id in delivered.members
            if deciding.operation == "delete" and is_member:
                observed = not deciding.is_inferred
                delivered.leave(row_id, run, run.time_of(deciding), observed=observed)
            elif deciding.operation != "delete" and not is_member:
                delivered.enter(row_id, run, deciding, is_first_run=run is sync.runs[0])
        replacing = is_replacing(run, settled)
        delivered.replacing_runs.append(replacing)
        if replacing:
            _leave_replaced(delivered, run, deciding_attempts)
    return delivered


def is_replacing(run: Run, settled: bool) -> bool:
    """Whether a run is known to have replaced the whole object."""
    has_mirrored = any(
        attempt.operation == "mirror" and attempt.record_status == "succeeded"
        for attempt in run.attempts
        if attempt.identifier is not None
    )
    has_aborted = any(entry.status == "aborted" for entry in changelog_entries(run))
    has_failed = run.reported_status == "failed"
    return (
        settled
        and has_mirrored
        and not has_aborted
        and not has_failed
        and not run.has_unreadable_file
    )


def _find_late_starts(delivered: Delivered, run: Run) -> None:
    was_replaced = any(delivered.replacing_runs)
    for attempt in run.attempts:
        row_id = attempt.identifier
        if row_id is None or not attempt.has_state or attempt.record_status not in REACHED:
            continue
        if row_id in delivered.reached_identifiers:
            continue
        delivered.reached_identifiers.add(row_id)
        was_in = attempt.operation == "delete" or attempt.reported_op_type in ("changed", "removed")
        if was_in and not was_replaced:
            delivered.members[row_id] = Membership(
                row_id=row_id, entered_at=None, entered_sync_run_id=None, entry_observed=False
            )


def _deciding_attempts(run: Run) -> dict[str, Attempt]:
    """Return the last succeeded attempt of each record; unknown operations decide nothing."""
    deciding = {}
    for attempt in run.attempts:
        if attempt.identifier is None or not attempt.has_state:
            continue
        if attempt.record_status == "succeeded" and attempt.operation != "unknown":
            deciding[attempt.identifier] = attempt
    return deciding


def _leave_replaced(delivered: Delivered, run: Run, deciding_attempts: dict[str, Attempt]) -> None:
    exited_at = run.time_of_end
    for row_id in list(delivered.members):
        # A member with a deciding attempt was accepted; a deleted member has already left.
        if row_id not in deciding_attempts:
            delivered.leave(row_id, run, exited_at, observed=False)
