"""Audiences, days and statistics of each sync (docs/answers.md, Audiences, Time)."""

import statistics
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise

from .answers_facts import SyncFacts, counts, counts_of_run
from .answers_failures import MICROSECONDS_OF_AN_HOUR
from .answers_records import outcomes_by_record
from .coverage import is_log_complete
from .failure_periods import Period, failing_since, periods_of
from .history import Run
from .rows import Row
from .run_rows import are_successes_known, microseconds_of, run_status
from .values import earliest, last_known, latest, ratio

# A silence of an organisation that is longer has no days.
LONGEST_SILENCE = timedelta(days=366)
# Days without a run are among the last ones of their organisation.
MOST_DAYS = 3660


def audience_events(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `audience_events`."""
    rows = []
    for one in facts.memberships:
        events = [("entered", one.entered_at, one.entered_sync_run_id, one.entry_observed)]
        if one.exit_observed is not None:
            events.append(("left", one.exited_at, one.exited_sync_run_id, one.exit_observed))
        for event_type, event_at, sync_run_id, is_observed in events:
            rows.append(
                {
                    **facts.key,
                    "row_id": one.row_id,
                    "audience_name": facts.model_name,
                    "event_type": event_type,
                    "event_at": event_at,
                    "sync_run_id": sync_run_id,
                    "is_observed": is_observed,
                    "data_until_at": facts.data_until_at,
                }
            )
    return rows


def audience_members(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `audience_members`."""
    return [
        {
            **facts.key,
            "row_id": one.row_id,
            "audience_name": facts.model_name,
            "entered_at": one.entered_at,
            "entered_sync_run_id": one.entered_sync_run_id,
            "entry_observed": one.entry_observed,
            "data_until_at": facts.data_until_at,
        }
        for one in facts.open_memberships
    ]


def days_of(facts: SyncFacts, all_facts: Sequence[SyncFacts]) -> list[date]:
    """List the days of a sync (docs/answers.md, Time)."""
    own = _run_days(facts)
    # Syncs whose runs are not shown count here, because their data is data of the organisation.
    known = set()
    for one in all_facts:
        if one.sync.organization_id == facts.sync.organization_id and one.data_until_at:
            known |= {one.data_until_at.date()} | _run_days(one)
    days = set(known)
    for day, following in pairwise(sorted(known)):
        if following - day <= LONGEST_SILENCE:
            days |= {day + timedelta(days=number) for number in range((following - day).days)}
    last = sorted(days)[-MOST_DAYS:]
    return sorted(own | {day for day in last if own and day >= min(own)})


def sync_activity_daily(facts: SyncFacts, days: list[date]) -> list[Row]:
    """Shape the rows of `sync_activity_daily`."""
    rows = []
    periods = periods_of(facts)
    for day in days:
        runs = [run for run in facts.sync.runs if _is_on(day, run.order_at)]
        ids = {run.sync_run_id for run in runs}
        rows.append(
            {
                **facts.key,
                "activity_date": day,
                **_run_counts(facts, runs),
                **_counts(facts, runs),
                "entry_count": sum(run_id in ids for run_id in facts.entered_run_ids),
                "exit_count": sum(run_id in ids for run_id in facts.exited_run_ids),
                "open_failure_count": sum(_is_open_after(day, one) for one in periods),
                "repaired_failure_count": sum(
                    one.end is not None
                    and one.end.ended_by == "succeeded"
                    and _is_on(day, one.end.run.order_at)
                    for one in periods
                ),
                "data_until_at": facts.data_until_at,
            }
        )
    return rows


def _is_open_after(day: date, period: Period) -> bool:
    """Whether runs of the day or of earlier days began a period, and none of them ended it."""
    started_at = period.first.run.order_at
    ended_at = period.end.run.order_at if period.end else None
    is_started = started_at is not None and started_at.date() <= day
    return is_started and not (ended_at is not None and ended_at.date() <= day)


def sync_statistics(facts: SyncFacts) -> Row:
    """Shape the row of a sync in `sync_statistics`."""
    runs = facts.sync.runs
    counted = _counts(facts, runs)
    known = _counts(facts, [run for run in runs if are_successes_known(run)])
    invalid = counted["invalid_count"]
    # a source may log invalid records although its vendor is not known to
    logs_invalid = facts.sync.source.logs_invalid_records or invalid > 0
    succeeded = [run for run in runs if _status_of(facts, run) == "succeeded"]
    periods = periods_of(facts)
    return {
        **facts.key,
        "model_name": facts.model_name,
        "destination": last_known([run.metadata.destination_type for run in runs]),
        **_run_counts(facts, runs),
        "undated_run_count": sum(run.order_at is None for run in runs),
        "too_late_run_count": facts.kept.too_late_count,
        "first_run_at": earliest(run.order_at for run in runs),
        "last_run_at": latest(run.order_at for run in runs),
        "last_succeeded_run_at": succeeded[-1].order_at if succeeded else None,
        "last_sync_run_id": runs[-1].sync_run_id,
        "last_run_status": _status_of(facts, runs[-1]),
        **counted,
        "rejection_rate": ratio(
            known["failed_count"] - known["invalid_count"],
            known["attempted_count"] - known["invalid_count"],
        ),
        "invalid_rate": ratio(invalid, counted["planned_count"]) if logs_invalid else None,
        "attempts_per_delivered_change": ratio(
            counted["attempted_count"] - invalid, counted["succeeded_count"]
        ),
        "median_run_seconds": _median_run_seconds(runs),
        "record_count": len(outcomes_by_record(facts)),
        "open_record_count": sum(row["status"] == "failed" for row in facts.snapshot),
        "failing_since_at": failing_since(periods, {one.row_id for one in periods}),
        "median_hours_to_repair": _median_hours_to_repair(periods),
        "member_count": len(facts.open_memberships),
        "data_until_at": facts.data_until_at,
    }


def _run_days(facts: SyncFacts) -> set[date]:
    return {run.order_at.date() for run in facts.sync.runs if run.order_at is not None}


def _is_on(day: date, time: datetime | None) -> bool:
    return time is not None and time.date() == day


def _run_counts(facts: SyncFacts, runs: Sequence[Run]) -> dict[str, int]:
    statuses = Counter(_status_of(facts, run) for run in runs)
    return {
        "run_count": len(runs),
        "succeeded_run_count": statuses["succeeded"],
        "failed_run_count": statuses["failed"],
        "unsettled_run_count": statuses[None],
        "incomplete_run_count": sum(_is_incomplete(facts, run) for run in runs),
    }


def _counts(facts: SyncFacts, runs: Sequence[Run]) -> dict[str, int]:
    # an empty count has all columns
    summed = Counter(counts(()))
    for run in runs:
        summed.update(counts_of_run(run, facts.outcomes_of(run)))
    return dict(summed)


def _is_incomplete(facts: SyncFacts, run: Run) -> bool:
    return is_log_complete(facts.sync, facts.sync.runs.index(run)) is False


def _status_of(facts: SyncFacts, run: Run) -> str | None:
    position = facts.sync.runs.index(run)
    entries = [one.entry for one in facts.outcomes_of(run)]
    return run_status(run, facts.sync.settled[position], entries)


def _median_run_seconds(runs: Sequence[Run]) -> float | None:
    # whole numbers, whose mean is exact
    durations = [lasted for lasted in map(microseconds_of, runs) if lasted is not None]
    return statistics.median(durations) / 1_000_000 if durations else None


def _median_hours_to_repair(periods: Sequence[Period]) -> float | None:
    repaired = [one for one in periods if one.end and one.end.ended_by == "succeeded"]
    known = [one.microseconds_to_end for one in repaired if one.microseconds_to_end is not None]
    # whole numbers, whose mean is exact
    return statistics.median(known) / MICROSECONDS_OF_AN_HOUR if known else None
