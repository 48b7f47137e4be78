"""The open failures that a retry may repair (docs/answers.md, Failures)."""

from datetime import datetime

from .answers_errors import Rules
from .answers_facts import SyncFacts
from .answers_failures import failing_columns
from .answers_fields import is_compared
from .failure_periods import Period, payload_changed, periods_of
from .rows import Row
from .values import latest


def records_to_retry(facts: SyncFacts, rules: Rules) -> list[Row]:
    """Shape the rows of `records_to_retry`."""
    periods = periods_of(facts)
    rows = []
    for period in periods:
        if period.end is not None:
            continue
        columns = failing_columns(period, rules)
        repairs = _repairs(periods, period)
        if not repairs and not columns["is_transient"]:
            continue
        rows.append(
            {
                **facts.key,
                "row_id": period.row_id,
                "retry_reason": "others succeeded" if repairs else "transient",
                **columns,
                "repaired_at": _last_time(repairs),
                "fields": _last_payload(facts, period.row_id),
                "data_until_at": facts.data_until_at,
            }
        )
    return rows


def _repairs(periods: list[Period], failing: Period) -> list[tuple[int, datetime | None]]:
    """The runs, and the times, of later successes of records that had failed with the pattern.

    What succeeded with another payload says nothing about the payload that failed.
    """
    found: list[tuple[int, datetime | None]] = []
    if failing.last.pattern is None:
        return found
    for one in periods:
        outcome = one.end.outcome if one.end else None
        if (
            outcome is not None
            and payload_changed(one) is False
            and one.last.pattern == failing.last.pattern
            and outcome.position > failing.last.position
        ):
            found.append((outcome.position, one.ended_at))
    return found


def _last_time(repairs: list[tuple[int, datetime | None]]) -> datetime | None:
    last_position = max((position for position, _ in repairs), default=None)
    return latest(time for position, time in repairs if position == last_position)


def _last_payload(facts: SyncFacts, row_id: str) -> str | None:
    its_outcomes = [one for one in facts.outcomes if one.row_id == row_id and is_compared(one)]
    return its_outcomes[-1].entry.attempt.row.record_payload if its_outcomes else None
