"""The periods in which records failed (docs/answers.md, Failures)."""

from datetime import datetime, timedelta

from .answers_errors import Rules, category_columns
from .answers_facts import Outcome, SyncFacts
from .failure_periods import Period, payload_changed, periods_of
from .outcomes import is_invalid
from .rows import Row
from .values import latest

MICROSECONDS_OF_AN_HOUR = 3_600_000_000


def record_failures(facts: SyncFacts, rules: Rules) -> list[Row]:
    """Shape the rows of `record_failures`."""
    return [
        {
            **facts.key,
            "row_id": period.row_id,
            "failure_number": period.number,
            **failing_columns(period, rules),
            "started_sync_run_id": period.first.run.sync_run_id,
            "first_failure_reason": period.first.reason,
            "ended_at": period.ended_at,
            "ended_sync_run_id": period.end.run.sync_run_id if period.end else None,
            "ended_by": period.end.ended_by if period.end else None,
            "is_open": period.end is None,
            "was_delivered": _was_delivered(facts, period),
            "last_succeeded_at": _last_succeeded_at(facts, period),
            "payload_changed": payload_changed(period),
            "hours_open": _hours_open(period, facts.data_until_at),
            "runs_without_attempt": _runs_without_attempt(facts, period),
            "data_until_at": facts.data_until_at,
        }
        for period in periods_of(facts)
    ]


def failing_columns(period: Period, rules: Rules) -> Row:
    """Shape the columns that say how long and why a record failed."""
    return {
        "started_at": period.started_at,
        "last_failed_at": period.last_failed_at,
        "last_failed_sync_run_id": period.last.run.sync_run_id,
        "failed_run_count": len(period.failed),
        "last_failure_reason": period.last.reason,
        "failure_pattern": period.last.pattern,
        **category_columns(period.last.reason, rules),
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


def _hours_open(period: Period, data_until_at: datetime | None) -> float | None:
    started_at = period.started_at
    until = period.ended_at if period.end else data_until_at
    if started_at is None or until is None:
        return None
    microseconds = (max(started_at, until) - started_at) // timedelta(microseconds=1)
    # Floats are divided, because a database has no exact fractions.
    return float(microseconds) / MICROSECONDS_OF_AN_HOUR


def _runs_without_attempt(facts: SyncFacts, period: Period) -> int | None:
    return None if period.end else sum(facts.sync.settled[period.last.position + 1 :])
