"""The periods in which records failed, as the outcomes of runs begin and end them."""

from collections.abc import Container
from dataclasses import dataclass, field
from datetime import datetime

from .answers_facts import Outcome, SyncFacts
from .history import Run
from .outcomes import changelog_entry, final_attempt, op_type, records_of
from .values import earliest, latest, microseconds_between


@dataclass(frozen=True)
class End:
    """What ended a period; `outcome` is None if it was a replacing run."""

    ended_by: str
    run: Run
    own_time: datetime | None
    outcome: Outcome | None = None


@dataclass
class Period:
    """One period in which a record failed; it is open while `end` is None."""

    row_id: str
    number: int
    failed: list[Outcome] = field(default_factory=list)
    end: End | None = None

    @property
    def first(self) -> Outcome:
        """The failed outcome that began the period."""
        return self.failed[0]

    @property
    def last(self) -> Outcome:
        """The last failed outcome."""
        return self.failed[-1]

    @property
    def started_at(self) -> datetime | None:
        """The time of the first failed outcome."""
        return self.first.at

    @property
    def last_failed_at(self) -> datetime | None:
        """The time of the last failed outcome, never before the start."""
        return latest([self.first.at, self.last.at])

    @property
    def ended_at(self) -> datetime | None:
        """The time of the end, never before the last failed outcome."""
        return latest([self.last_failed_at, self.end.own_time]) if self.end else None

    @property
    def microseconds_to_end(self) -> int | None:
        """How long it lasted; None if it is open, or if its start or end is not known."""
        return microseconds_between(self.started_at, self.ended_at)


def outcomes_of_run(facts: SyncFacts, position: int) -> dict[str, Outcome]:
    """Return the outcome of each record in a run; null keys and `append` rows have none."""
    run = facts.sync.runs[position]
    members_before = facts.delivered.members_before_run[position]
    outcomes = {}
    for attempts in records_of(run):
        final = final_attempt(attempts)
        row_id = final.identifier
        if final.has_state and row_id is not None and row_id not in facts.kept.purged:
            entry = changelog_entry(final)
            outcomes[row_id] = Outcome(run, position, entry, op_type(final, members_before))
    return outcomes


def periods_of(facts: SyncFacts) -> list[Period]:
    """Find the periods of all records."""
    by_record: dict[str, list[Period]] = {}
    open_periods: dict[str, Period] = {}
    for position, run in enumerate(facts.sync.runs):
        outcomes = outcomes_of_run(facts, position)
        for row_id, outcome in outcomes.items():
            if outcome.status == "failed":
                if row_id not in open_periods:
                    its_periods = by_record.setdefault(row_id, [])
                    open_periods[row_id] = Period(row_id, len(its_periods) + 1)
                    its_periods.append(open_periods[row_id])
                open_periods[row_id].failed.append(outcome)
            elif outcome.status == "succeeded" and row_id in open_periods:
                end = End(_ended_by(outcome), run, outcome.at, outcome)
                open_periods.pop(row_id).end = end
        if facts.delivered.replacing_runs[position]:
            for row_id in open_periods.keys() - outcomes.keys():
                open_periods.pop(row_id).end = End("replaced", run, run.time_of_end)
    return [period for its_periods in by_record.values() for period in its_periods]


def failing_since(periods: list[Period], row_ids: Container[str]) -> datetime | None:
    """Return the earliest start of the open periods of some records."""
    return earliest(one.started_at for one in periods if not one.end and one.row_id in row_ids)


def payload_changed(period: Period) -> bool | None:
    """Whether the payload that succeeded differs from the one that failed last, if one is known."""
    if period.end is None or period.end.outcome is None or period.end.ended_by != "succeeded":
        return None
    before = period.last.entry.attempt.row.record_payload
    after = period.end.outcome.entry.attempt.row.record_payload
    return None if before is None and after is None else before != after


def bystanders_of(facts: SyncFacts, periods: list[Period]) -> dict[str | None, set[str]]:
    """Find the records that were rejected with their batch and accepted as they were."""
    found: dict[str | None, set[str]] = {}
    for period in periods:
        if payload_changed(period) is False and _is_rejected_with_batch(facts, period.last):
            found.setdefault(period.last.pattern, set()).add(period.row_id)
    return found


def _is_rejected_with_batch(facts: SyncFacts, outcome: Outcome) -> bool:
    run, failed = outcome.run, outcome.entry.attempt
    if failed.row.batch_ended_at is None:
        return False
    is_pruned = run.key in facts.kept.pruned
    batch = [
        one
        for one in run.attempts
        if (one.file_name, one.row.batch_started_at, one.row.batch_ended_at)
        == (failed.file_name, failed.row.batch_started_at, failed.row.batch_ended_at)
        and (is_pruned or one.identifier not in facts.kept.purged)
    ]
    messages = {one.row.status_message for one in batch}
    return (
        len(batch) > 1
        and all(one.record_status == "failed" for one in batch)
        and len(messages) == 1
        and None not in messages
    )


def _ended_by(outcome: Outcome) -> str:
    attempt = outcome.entry.attempt
    if attempt.is_inferred:
        return "replaced"
    return "removed" if attempt.operation == "delete" else "succeeded"
