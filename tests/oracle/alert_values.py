"""The value of each rule of alerts in each run (docs/answers.md, Alerts)."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .alerts_measured import MeasuredRun, Pattern
from .values import ratio

# How many runs before a run are compared with it, and with how few there is no comparison.
MOST_RUNS_BEFORE = 20
FEWEST_RUNS_BEFORE = 10


@dataclass(frozen=True)
class Measured:
    """The value of a rule in a run, and the number that its minimum is of."""

    value: float | None
    counted: float | None = None


def values_of(rule: str, runs: Sequence[MeasuredRun]) -> list[Measured]:
    """Compute the values of a rule in each run."""
    return [VALUES[rule](run, runs[:index]) for index, run in enumerate(runs)]


def pattern_values(pattern: Pattern, runs: Sequence[MeasuredRun]) -> list[Measured]:
    """Compute the values of `new_error_pattern` for a pattern."""
    return [
        Measured(float(run.failed.get(pattern, 0)) if run.attempted_count else None) for run in runs
    ]


def _rejection_rate(run: MeasuredRun, _: Sequence[MeasuredRun]) -> Measured:
    rejected = run.failed_count - run.invalid_count
    if not run.are_successes_known:
        return Measured(None, rejected)
    return Measured(ratio(rejected, run.attempted_count - run.invalid_count), rejected)


def _record_count(run: MeasuredRun, before: Sequence[MeasuredRun]) -> Measured:
    planned = [one.planned_count for one in before[-MOST_RUNS_BEFORE:]]
    if len(planned) < FEWEST_RUNS_BEFORE:
        return Measured(None)
    median = statistics.median(planned)
    counted = max(run.planned_count, median)
    if median == 0:
        return Measured(None, counted)
    if 3 * run.planned_count >= min(planned) and run.planned_count <= 3 * max(planned):
        return Measured(0.0, counted)
    deviation = statistics.median(abs(one - median) for one in planned)
    return Measured(abs(run.planned_count - median) / (deviation or 1), counted)


def _mass_removal(run: MeasuredRun, _: Sequence[MeasuredRun]) -> Measured:
    # The log shows these members only because they leave.
    exit_count = run.exit_count - run.leaving_late_start_count
    member_count = run.member_count - run.leaving_late_start_count
    return Measured(ratio(exit_count, member_count), member_count)


def _duration(run: MeasuredRun, before: Sequence[MeasuredRun]) -> Measured:
    known = [(one.microseconds, one) for one in before if one.microseconds is not None]
    if run.microseconds is None or len(known) < FEWEST_RUNS_BEFORE:
        return Measured(None)
    last = known[-MOST_RUNS_BEFORE:]
    usual_count = statistics.median(one.planned_count for _, one in last)
    # A run of more rows may last longer.
    times_larger = max(1, ratio(run.planned_count, usual_count) or 1)
    usual = statistics.median(microseconds for microseconds, _ in last) * times_larger
    return Measured(ratio(run.microseconds, usual), run.microseconds / 1_000_000)


VALUES: dict[str, Callable[[MeasuredRun, Sequence[MeasuredRun]], Measured]] = {
    "run_failed": lambda run, _: Measured(float(run.has_failed)),
    "rejection_rate": _rejection_rate,
    "invalid_rate": lambda run, _: Measured(
        ratio(run.invalid_count, run.planned_count), run.invalid_count
    ),
    "record_count": _record_count,
    "mass_removal": _mass_removal,
    "full_resync": lambda run, _: Measured(
        ratio(run.known_adding_count, run.adding_count), run.adding_count
    ),
    "duration": _duration,
    "incomplete_log": lambda run, _: Measured(float(run.is_incomplete)),
    "old_failures": lambda run, _: Measured(
        None if run.old_failure_count is None else float(run.old_failure_count)
    ),
    "payload_schema": lambda run, _: Measured(
        None if run.changed_field_count is None else float(run.changed_field_count)
    ),
}
