"""The periods in which records failed (docs/answers.md, Failures)."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from .answers_errors import UNCATEGORISED, Rules, rule_of
from .answers_facts import Outcome, SyncFacts, latest
from .history import Run
from .outcomes import changelog_entry, final_attempt, is_invalid, op_type, records_of
from .rows import Row

MICROSECONDS_OF_AN_HOUR = 3_600_000_000


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
    def last_failed_at(self) -> datetime | None:
        """The time of the last failed outcome, never before the start."""
        return latest([self.first.at, self.last.at])

    @property
    def ended_at(self) -> datetime | None:
        """The time of the end, never before the last failed outcome."""
        return latest([self.last_failed_at, self.end.own_time]) if self.end else None


def record_failures(facts: SyncFacts, rules: Rules) -> list[Row]:
    """Shape the rows of `record_failures`."""
    return [
        {
            **facts.key,
            "row_id": period.row_id,
            "failure_number": period.number,
            **_course(period),
            **_reasons(period, rules),
            "was_delivered": _was_delivered(facts, period),
            "last_succeeded_at": _last_succeeded_at(facts, period),
            "payload_changed": _payload_changed(period),
            "hours_open": _hours_open(period, facts.data_until_at),
            "runs_without_attempt": _runs_without_attempt(facts, period),
            "data_until_at": facts.data_until_at,
        }
        for period in _periods(facts)
    ]


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


def _periods(facts: SyncFacts) -> list[Period]:
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
                replaced_at = run.last_batch_ended_at or run.order_at
                open_periods.pop(row_id).end = End("replaced", run, replaced_at)
    return [period for its_periods in by_record.values() for period in its_periods]


def _ended_by(outcome: Outcome) -> str:
    attempt = outcome.entry.attempt
    if attempt.is_inferred:
        return "replaced"
    return "removed" if attempt.operation == "delete" else "succeeded"


def _course(period: Period) -> Row:
    return {
        "started_at": period.first.at,
        "started_sync_run_id": period.first.run.sync_run_id,
        "last_failed_at": period.last_failed_at,
        "last_failed_sync_run_id": period.last.run.sync_run_id,
        "ended_at": period.ended_at,
        "ended_sync_run_id": period.end.run.sync_run_id if period.end else None,
        "ended_by": period.end.ended_by if period.end else None,
        "is_open": period.end is None,
        "failed_run_count": len(period.failed),
    }


def _reasons(period: Period, rules: Rules) -> Row:
    rule = rule_of(period.last.reason, rules)
    return {
        "first_failure_reason": period.first.reason,
        "last_failure_reason": period.last.reason,
        "category": rule.category if rule else UNCATEGORISED,
        "is_transient": rule.is_transient if rule else None,
    }


def _was_delivered(facts: SyncFacts, period: Period) -> bool:
    return period.row_id in facts.delivered.members_before_run[period.first.position]


def _last_succeeded_at(facts: SyncFacts, period: Period) -> datetime | None:
    return latest(
        one.at
        for one in facts.outcomes
        if one.row_id == period.row_id
        and one.status == "succeeded"
        and _is_before(one, period.first)
    )


def _is_before(succeeded: Outcome, failed: Outcome) -> bool:
    """Whether a succeeded changelog row, perhaps of an `append`, comes before a failed one."""
    if succeeded.position != failed.position:
        return succeeded.position < failed.position
    # Of one run, the changelog has the invalid rows first.
    return not is_invalid(failed.entry.attempt) and _index(succeeded) < _index(failed)


def _index(outcome: Outcome) -> int:
    its_attempt = outcome.entry.attempt
    return [attempt is its_attempt for attempt in outcome.run.attempts].index(True)


def _payload_changed(period: Period) -> bool | None:
    if period.end is None or period.end.outcome is None or period.end.ended_by != "succeeded":
        return None
    payload_before = period.last.entry.attempt.row.record_payload
    return period.end.outcome.entry.attempt.row.record_payload != payload_before


def _hours_open(period: Period, data_until_at: datetime | None) -> float | None:
    started_at = period.first.at
    until = period.ended_at if period.end else data_until_at
    if started_at is None or until is None:
        return None
    microseconds = (max(started_at, until) - started_at) // timedelta(microseconds=1)
    # Floats are divided, because a database has no exact fractions.
    return float(microseconds) / MICROSECONDS_OF_AN_HOUR


def _runs_without_attempt(facts: SyncFacts, period: Period) -> int | None:
    return None if period.end else sum(facts.sync.settled[period.last.position + 1 :])
