"""Errors by sync, by pattern and by category (docs/answers.md, Errors)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .answers_facts import Outcome, SyncFacts
from .failure_patterns import failure_pattern
from .failure_periods import bystanders_of, failing_since, periods_of
from .rows import Row
from .values import byte_order, earliest, grouped, latest

UNCATEGORISED = "uncategorised"
MOST_SAMPLES = 5
# What a pattern is made of, as columns of the snapshot.
PARTS_OF_PATTERN = ("failure_reason", "fields", "row_id")

Reason = str | None


@dataclass(frozen=True)
class ErrorRule:
    """A regular expression and the category of the reasons that it matches."""

    pattern: str
    category: str
    priority: int
    is_transient: bool | None = None
    hint: str | None = None


Rules = tuple[ErrorRule, ...]


def errors_by_sync(all_facts: Sequence[SyncFacts], rules: Rules) -> list[Row]:
    """Shape the rows of `errors_by_sync`."""
    rows = []
    for facts in all_facts:
        failures = failures_by_reason(facts)
        in_sync = ranks({reason: standing(failed) for reason, failed in failures.items()})
        overall = _ranks_overall(all_facts, facts.sync.organization_id)
        periods = periods_of(facts)
        for reason, failed in failures.items():
            rows.append(
                {
                    **facts.key,
                    "failure_reason": reason,
                    "failure_pattern": min((one.pattern for one in failed), key=byte_order),
                    **_counted(facts, failed),
                    "failing_since_at": failing_since(periods, _open_records(facts, {reason})),
                    "sample_identifiers": sample_of(failed),
                    "rank_in_sync": in_sync[reason],
                    "rank_overall": overall[reason],
                    **category_columns(reason, rules),
                    "last_sync_run_id": failed[-1].run.sync_run_id,
                    "data_until_at": facts.data_until_at,
                }
            )
    return rows


def errors_by_category(all_facts: Sequence[SyncFacts], rules: Rules) -> list[Row]:
    """Shape the rows of `errors_by_category`."""
    rows = []
    for facts in all_facts:
        failures = failures_by_reason(facts)
        in_sync = ranks({reason: standing(failed) for reason, failed in failures.items()})
        for category in dict.fromkeys(category_of(reason, rules) for reason in failures):
            reasons = [reason for reason in failures if category_of(reason, rules) == category]
            first = _first_rule(category, rules)
            rows.append(
                {
                    **facts.key,
                    "category": category,
                    "is_transient": first.is_transient if first else None,
                    "hint": first.hint if first else None,
                    "failure_reason_count": len(reasons),
                    **_counted(facts, [one for reason in reasons for one in failures[reason]]),
                    "top_failure_reason": min(reasons, key=lambda reason: in_sync[reason]),
                    "data_until_at": facts.data_until_at,
                }
            )
    return rows


def error_patterns(all_facts: Sequence[SyncFacts], rules: Rules) -> list[Row]:
    """Shape the rows of `error_patterns`."""
    rows = []
    for facts in all_facts:
        failures = failures_by_pattern(facts)
        open_counts = _open_record_counts(facts)
        bystanders = bystanders_of(facts, periods_of(facts))
        in_sync = ranks({pattern: standing(failed) for pattern, failed in failures.items()})
        for pattern, failed in failures.items():
            first, last = failed[0], failed[-1]
            last_reasons = [one.reason for one in failed if one.position == last.position]
            sample = min(last_reasons, key=byte_order)
            first_of_category = _first_rule(category_of(sample, rules), rules)
            rows.append(
                {
                    **facts.key,
                    "failure_pattern": pattern,
                    **_counted(facts, failed),
                    "open_record_count": open_counts[pattern],
                    "run_count": len(_positions(facts, pattern)),
                    "bystander_count": len(bystanders.get(pattern, ())),
                    "failure_reason_count": len({one.reason for one in failed}),
                    "first_sync_run_id": first.run.sync_run_id,
                    "last_sync_run_id": last.run.sync_run_id,
                    "is_new": first.position == _last_settled_position(facts),
                    "sample_failure_reason": sample,
                    "sample_identifiers": sample_of(failed),
                    "rank_in_sync": in_sync[pattern],
                    **category_columns(sample, rules),
                    "hint": first_of_category.hint if first_of_category else None,
                    "data_until_at": facts.data_until_at,
                }
            )
    return rows


def failures_by_pattern(facts: SyncFacts) -> dict[str | None, list[Outcome]]:
    """Group the failed changelog rows of a sync by pattern, in order; null is a pattern too."""
    return grouped(_failed(facts), lambda one: one.pattern)


def failures_by_reason(facts: SyncFacts) -> dict[Reason, list[Outcome]]:
    """Group the failed changelog rows of a sync by reason, in order; null is a reason too."""
    return grouped(_failed(facts), lambda one: one.reason)


def _failed(facts: SyncFacts) -> list[Outcome]:
    return [one for one in facts.outcomes if one.status == "failed"]


def standing(failed: list[Outcome]) -> tuple[int, int]:
    """Count the records and the changelog rows; each null key counts as a record."""
    identifiers = {one.row_id for one in failed if one.row_id is not None}
    null_keys = [one for one in failed if one.row_id is None]
    return len(identifiers) + len(null_keys), len(failed)


def ranks(standings: dict[Reason, tuple[int, int]]) -> dict[Reason, int]:
    """Number reasons from 1: most records, then most rows, then by reason."""

    def order(reason: Reason) -> tuple[int, int, tuple[bool, bytes]]:
        record_count, attempt_count = standings[reason]
        return -record_count, -attempt_count, byte_order(reason)

    return {reason: number for number, reason in enumerate(sorted(standings, key=order), start=1)}


def _ranks_overall(all_facts: Sequence[SyncFacts], organization_id: str) -> dict[Reason, int]:
    sums: dict[Reason, tuple[int, int]] = {}
    for facts in all_facts:
        if facts.sync.organization_id != organization_id:
            continue
        for reason, failed in failures_by_reason(facts).items():
            records, attempts = standing(failed)
            records_before, attempts_before = sums.get(reason, (0, 0))
            sums[reason] = (records_before + records, attempts_before + attempts)
    return ranks(sums)


def _counted(facts: SyncFacts, failed: list[Outcome]) -> Row:
    reasons = {one.reason for one in failed}
    record_count, attempt_count = standing(failed)
    return {
        "record_count": record_count,
        "open_record_count": len(_open_records(facts, reasons)),
        "attempt_count": attempt_count,
        "first_seen_at": earliest(one.at for one in failed),
        "last_seen_at": latest(one.at for one in failed),
    }


def _open_records(facts: SyncFacts, reasons: set[Reason]) -> list[str]:
    """List the records of the snapshot that have failed with one of the reasons."""
    return [
        str(row["row_id"])
        for row in facts.snapshot
        if row["status"] == "failed" and row["failure_reason"] in reasons
    ]


def _open_record_counts(facts: SyncFacts) -> Counter[str | None]:
    """Count the records of the snapshot that failed, by the pattern of their last outcome."""
    texts = [
        [None if row[column] is None else str(row[column]) for column in PARTS_OF_PATTERN]
        for row in facts.snapshot
        if row["status"] == "failed"
    ]
    return Counter(failure_pattern(*parts) for parts in texts)


def _positions(facts: SyncFacts, pattern: str | None) -> set[int]:
    """Find the runs with a pattern; a pruned run also if its records with it were purged."""
    return {
        one.position
        for one in facts.run_outcomes
        if one.status == "failed"
        and one.pattern == pattern
        and (one.row_id not in facts.kept.purged or one.run.key in facts.kept.pruned)
    }


def _last_settled_position(facts: SyncFacts) -> int | None:
    settled = (position for position, is_one in enumerate(facts.sync.settled) if is_one)
    return max(settled, default=None)


def sample_of(failed: list[Outcome]) -> list[str]:
    """Pick a few identifiers, those that failed last first."""
    last_positions: dict[str, int] = {}
    for one in failed:
        if one.row_id is not None:
            last_positions[one.row_id] = max(one.position, last_positions.get(one.row_id, 0))
    ordered = sorted(last_positions, key=lambda row_id: (-last_positions[row_id], row_id.encode()))
    return ordered[:MOST_SAMPLES]


def rule_of(reason: Reason, rules: Rules) -> ErrorRule | None:
    """Find the rule for a reason: the lowest number, then by category and pattern."""
    if reason is None:
        return None
    found = [rule for rule in rules if re.search(rule.pattern, reason)]
    return min(
        found,
        key=lambda rule: (rule.priority, rule.category.encode(), rule.pattern.encode()),
        default=None,
    )


def category_of(reason: Reason, rules: Rules) -> str:
    """Return the category of a reason."""
    rule = rule_of(reason, rules)
    return rule.category if rule else UNCATEGORISED


def category_columns(reason: Reason, rules: Rules) -> Row:
    """Shape the columns that say what the rule for a reason says."""
    rule = rule_of(reason, rules)
    return {
        "category": category_of(reason, rules),
        "is_transient": rule.is_transient if rule else None,
    }


def _first_rule(category: str, rules: Rules) -> ErrorRule | None:
    # Rules without a match in the sync count too, so a category has the same hint everywhere.
    its_rules = [rule for rule in rules if rule.category == category]
    if category == UNCATEGORISED:
        return None
    return min(its_rules, key=lambda rule: (rule.priority, rule.pattern.encode()), default=None)
