"""The history of each record, and the records that flap (docs/answers.md, Records)."""

from typing import Any

from .answers_facts import Outcome, SyncFacts, counts
from .failure_periods import failing_since, periods_of
from .outcomes import changelog_entry, op_type
from .rows import Row
from .snapshot import final_attempts
from .values import earliest, grouped, latest


def outcomes_by_record(facts: SyncFacts) -> dict[str, list[Outcome]]:
    """Group the changelog rows of a sync by identifier."""
    found = grouped(facts.outcomes, lambda one: one.row_id)
    return {row_id: outcomes for row_id, outcomes in found.items() if row_id is not None}


def record_history(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `record_history`."""
    last_outcomes = _last_outcomes(facts)
    periods = periods_of(facts)
    rows = []
    for row_id, outcomes in outcomes_by_record(facts).items():
        entered_at = [one.entered_at for one in facts.open_memberships if one.row_id == row_id]
        last = last_outcomes[row_id]
        rows.append(
            {
                **facts.key,
                "row_id": row_id,
                **_times(outcomes),
                "last_attempted_at": last.at,
                **counts(outcomes),
                "entry_count": _entries(facts, row_id),
                "exit_count": _exits(facts, row_id),
                "op_type": last.op_type,
                "status": last.status,
                "failure_reason": last.reason,
                "last_sync_run_id": last.run.sync_run_id,
                "failure_count": sum(one.row_id == row_id for one in periods),
                "failing_since_at": failing_since(periods, [row_id]),
                "is_delivered": entered_at != [],
                "entered_at": entered_at[0] if entered_at else None,
                "data_until_at": facts.data_until_at,
            }
        )
    return rows


def _times(outcomes: list[Outcome]) -> Row:
    added = [one for one in outcomes if one.status == "succeeded" and one.op_type == "added"]
    return {
        "first_attempted_at": earliest(one.at for one in outcomes),
        "first_added_at": earliest(one.at for one in added),
        "last_succeeded_at": latest(one.at for one in outcomes if one.status == "succeeded"),
        "last_failed_at": latest(one.at for one in outcomes if one.status == "failed"),
    }


def _last_outcomes(facts: SyncFacts) -> dict[str, Outcome]:
    """Return the outcome of each record in the last run that has it."""
    last_outcomes = {}
    for position, run in enumerate(facts.sync.runs):
        members_before = facts.delivered.members_before_run[position]
        for row_id, attempt in final_attempts(run).items():
            last_outcomes[row_id] = Outcome(
                run, position, changelog_entry(attempt), op_type(attempt, members_before)
            )
    return last_outcomes


def _entries(facts: SyncFacts, row_id: str) -> int:
    return sum(one.row_id == row_id for one in facts.memberships)


def _exits(facts: SyncFacts, row_id: str) -> int:
    return sum(one.row_id == row_id and one.exit_observed is not None for one in facts.memberships)


def flapping_records(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `flapping_records`."""
    members = {one.row_id for one in facts.open_memberships}
    flapping: list[dict[str, Any]] = [
        {
            **facts.key,
            "row_id": row_id,
            "flap_count": _entries(facts, row_id) - 1,
            "entry_count": _entries(facts, row_id),
            "exit_count": _exits(facts, row_id),
            "changed_count": counts(outcomes)["changed_count"],
            "is_delivered": row_id in members,
            "data_until_at": facts.data_until_at,
        }
        for row_id, outcomes in outcomes_by_record(facts).items()
        if _entries(facts, row_id) >= 2
    ]
    flapping.sort(
        key=lambda one: (-one["entry_count"], -one["changed_count"], one["row_id"].encode())
    )
    return [row | {"rank_in_sync": rank} for rank, row in enumerate(flapping, start=1)]
