"""What the rules of alerts count in each settled run (docs/answers.md, Alerts)."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from .answers_errors import failures_by_pattern, standing
from .answers_facts import Outcome, SyncFacts, counts_of_run
from .answers_payload_changes import news_counts
from .coverage import issue
from .failure_periods import periods_of
from .history import Run
from .run_rows import are_successes_known, microseconds_of, run_at, run_status
from .values import grouped, latest

# A failure is old from the first age until the second one.
OLD = timedelta(days=7)
NO_LONGER_OLD = timedelta(days=30)
# Times that are later than the time of the build by more do not count.
MOST_AHEAD = timedelta(days=1)
INCOMPLETE = ("unreadable files", "rows missing", "more than reported", "other outcomes")

Pattern = str | None


@dataclass(frozen=True)
class MeasuredRun:
    """A settled run, and everything that the rules count in it."""

    sync_run_id: str
    at: datetime | None = None
    # Whether it failed as a whole: by report, or because a row was not attempted.
    has_failed: bool = False
    planned_count: int = 0
    attempted_count: int = 0
    failed_count: int = 0
    invalid_count: int = 0
    # The attempted rows that add, and those of them whose record was in before.
    adding_count: int = 0
    known_adding_count: int = 0
    # The members before the run.
    member_count: int = 0
    exit_count: int = 0
    # The late starts that leave in the run: they are among the members and the exits.
    leaving_late_start_count: int = 0
    microseconds: int | None = None
    is_incomplete: bool = False
    # None if the source does not log when a record was accepted.
    old_failure_count: int | None = 0
    # How many records failed with each pattern.
    failed: dict[Pattern, int] = field(default_factory=dict)
    # How many fields of its payloads changed, as far as that is news; None without payloads.
    changed_field_count: int | None = None
    are_successes_known: bool = True


def likely(time: datetime | None, as_of: datetime) -> datetime | None:
    """Return a time, or None if it is too late for a build at `as_of`."""
    return None if time is not None and time - as_of > MOST_AHEAD else time


def measured_runs(facts: SyncFacts, as_of: datetime) -> list[MeasuredRun]:
    """Measure the settled runs of a sync, in order, for a build at `as_of`."""
    member_counts = _member_counts(facts)
    old_failure_counts = _old_failure_counts(facts, as_of)
    changed_field_counts = news_counts(facts)
    return [
        _measured(
            facts,
            position,
            member_counts[position],
            old_failure_counts[position],
            changed_field_counts.get(position),
        )
        for position, is_settled in enumerate(facts.sync.settled)
        if is_settled
    ]


def _measured(
    facts: SyncFacts,
    position: int,
    member_count: int,
    old_failure_count: int,
    changed_field_count: int | None,
) -> MeasuredRun:
    run = facts.sync.runs[position]
    outcomes = facts.outcomes_of(run)
    counted = counts_of_run(run, outcomes)
    adding = [one for one in outcomes if _adds(one)]
    members_before = facts.delivered.members_before_run[position]
    return MeasuredRun(
        sync_run_id=run.sync_run_id,
        at=run_at(run),
        has_failed=_has_failed(run, outcomes, counted["aborted_count"]),
        planned_count=counted["planned_count"],
        attempted_count=counted["attempted_count"],
        failed_count=counted["failed_count"],
        invalid_count=counted["invalid_count"],
        adding_count=len(adding),
        known_adding_count=sum(one.row_id in members_before for one in adding),
        member_count=member_count,
        exit_count=facts.exited_run_ids.count(run.sync_run_id),
        leaving_late_start_count=_leaving_late_start_count(facts, position),
        microseconds=microseconds_of(run),
        is_incomplete=issue(facts.sync, position) in INCOMPLETE,
        old_failure_count=old_failure_count if run.source.logs_succeeded_records else None,
        failed=_failed(facts, outcomes),
        are_successes_known=are_successes_known(run),
        changed_field_count=changed_field_count,
    )


def _has_failed(run: Run, outcomes: list[Outcome], aborted_count: int) -> bool:
    """Whether a run failed, and more is known than that all its rows were rejected."""
    status = run_status(run, True, [one.entry for one in outcomes])
    return status == "failed" and (run.reported_status == "failed" or aborted_count > 0)


def _adds(one: Outcome) -> bool:
    operation = one.entry.attempt.operation
    is_adding = operation == "insert" or one.op_type == "added"
    return is_adding and operation != "append" and one.status != "aborted"


def _member_counts(facts: SyncFacts) -> list[int]:
    """Count the members before each run, whether the runs are settled or not."""
    entered, exited = Counter(facts.entered_run_ids), Counter(facts.exited_run_ids)
    late_starts = Counter(
        _first_shown(facts, one.row_id)
        for one in facts.memberships
        if one.entered_sync_run_id is None
    )
    found = []
    member_count = 0
    for position, run in enumerate(facts.sync.runs):
        member_count += late_starts[position]
        found.append(member_count)
        member_count += entered[run.sync_run_id] - exited[run.sync_run_id]
    return found


def _first_shown(facts: SyncFacts, row_id: str) -> int:
    """Find the first run that shows a late start: the record is a member before that run."""
    before = facts.delivered.members_before_run
    return next(position for position, members in enumerate(before) if row_id in members)


def _leaving_late_start_count(facts: SyncFacts, position: int) -> int:
    """Count the late starts that a run is the first to show, and that leave in it."""
    sync_run_id = facts.sync.runs[position].sync_run_id
    leaving = [
        one
        for one in facts.exits
        if one.entered_sync_run_id is None and one.exited_sync_run_id == sync_run_id
    ]
    return sum(_first_shown(facts, one.row_id) == position for one in leaving)


def _old_failure_counts(facts: SyncFacts, as_of: datetime) -> list[int]:
    """Count the failures that are open after each run and began long before the latest time."""
    periods = periods_of(facts)
    positions = {run.sync_run_id: position for position, run in enumerate(facts.sync.runs)}
    found = []
    last_at: datetime | None = None
    for position, (run, settled) in enumerate(
        zip(facts.sync.runs, facts.sync.settled, strict=True)
    ):
        last_at = latest([last_at, likely(run_at(run), as_of) if settled else None])
        is_open = [
            one
            for one in periods
            if one.first.position <= position
            and (one.end is None or positions[one.end.run.sync_run_id] > position)
        ]
        starts = [one.started_at for one in is_open if one.started_at is not None]
        ages = [last_at - at for at in starts] if last_at is not None else []
        found.append(sum(OLD <= age < NO_LONGER_OLD for age in ages))
    return found


def _failed(facts: SyncFacts, outcomes: list[Outcome]) -> dict[Pattern, int]:
    """Count the records that failed; purged ones of a pruned run count while others are left."""
    left = failures_by_pattern(facts)
    failed = [
        one
        for one in outcomes
        if one.status == "failed"
        and (one.row_id not in facts.kept.purged or one.run.key in facts.kept.pruned)
        and one.pattern in left
    ]
    by_pattern = grouped(failed, lambda one: one.pattern)
    return {pattern: standing(its_rows)[0] for pattern, its_rows in by_pattern.items()}
