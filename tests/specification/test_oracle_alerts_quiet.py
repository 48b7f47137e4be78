"""Healthy syncs give no alerts, and planted faults are found in their run and only there.

Runs have random sizes, times and rejections. Most are not made of rows, only of the numbers that
the rules look at.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

import pytest

from oracle.alert_courses import Moment, late_courses
from oracle.alert_rules import limits_of
from oracle.alert_values import VALUES
from oracle.alerts_measured import MeasuredRun
from oracle.answers_alerts import NEW_ERROR_PATTERN, alerts_over
from oracle.building import batch, row
from oracle.lake import BatchFile
from specification.small_alerts import alerts
from specification.small_lake_answers import picked

RUNS = 200
DAYS_OF_BUSY_RUNS = 22
SEEDS = range(10)
MONDAY_AT_9 = datetime(2025, 3, 3, 9, tzinfo=timezone.utc)
LIMITS = {rule: limits_of(rule, "o", "s") for rule in (*VALUES, NEW_ERROR_PATTERN)}
LATE = limits_of("late", "o", "s")
SIZES: dict[str, Callable[[Random], int]] = {
    "steady": lambda rng: round(1000 * rng.lognormvariate(0, 0.1)),
    "noisy": lambda rng: round(1000 * rng.lognormvariate(0, 0.25)),
    "uniform": lambda rng: rng.randint(50, 2000),
    "lognormal": lambda rng: round(1000 * rng.lognormvariate(0, 0.5)),
}

Found = list[tuple[str, str, str | None]]


def starts_of(rng: Random, schedule: str) -> list[datetime]:
    """The starts of runs: each hour, on weekdays, or 52 on each day or weekday with a long night.

    Each has some minutes of delay.
    """
    days = [MONDAY_AT_9 + timedelta(days=day) for day in range(2 * RUNS)]
    if "weekdays" in schedule:
        days = [day for day in days if day.weekday() < 5]
    if schedule == "hourly":
        days = [MONDAY_AT_9 + timedelta(hours=hour) for hour in range(RUNS)]
    if "busy" in schedule:
        days = days[:DAYS_OF_BUSY_RUNS]
        times = [day + timedelta(minutes=15 * number) for day in days for number in range(52)]
    else:
        times = days[:RUNS]
    return [time + timedelta(minutes=rng.uniform(0, 10)) for time in times]


def healthy_runs(
    rng: Random, sizes: str, starts: list[datetime], rejected: float = 0.015
) -> list[MeasuredRun]:
    """Runs without faults: of 1.5 % that are rejected, or less, each has one of six reasons."""
    runs = []
    member_count = 5000
    for number, start in enumerate(starts):
        planned = SIZES[sizes](rng)
        reasons: Counter[str | None] = Counter(
            rng.choice("abcdef") for _ in range(planned) if rng.random() < rejected
        )
        seconds = 60 + planned * rng.uniform(0.8, 1.2)
        exits = rng.randint(0, 100)
        runs.append(
            MeasuredRun(
                sync_run_id=f"{number}",
                at=start + timedelta(seconds=seconds),
                planned_count=planned,
                attempted_count=planned,
                failed_count=reasons.total(),
                adding_count=planned // 4,
                member_count=member_count,
                exit_count=exits,
                microseconds=int(seconds * 1_000_000),
                failed=dict(reasons),
            )
        )
        member_count += 60 - exits
    return runs


def found_in(runs: list[MeasuredRun], starts: list[datetime]) -> Found:
    """The alerts of some runs: rule, where it opens, and where it is resolved."""
    moments = [Moment(run.sync_run_id, at) for run, at in zip(runs, starts, strict=True)]
    courses = [(one.rule, one.course) for one in alerts_over(runs, LIMITS)]
    courses += [("late", one) for one in late_courses(moments, starts[-1], LATE)]
    return [
        (rule, one.opened.sync_run_id, one.resolved.sync_run_id if one.resolved else None)
        for rule, one in courses
    ]


def alerts_of_healthy_runs(sizes: str, schedule: str, seeds: range) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        starts = starts_of(rng, schedule)
        counts.update(rule for rule, _, _ in found_in(healthy_runs(rng, sizes, starts), starts))
    return counts


# 400 seeds gave one alert in 5,700 runs of uniform sizes and in 11,400 of lognormal ones, mostly
# `record_count`: the smallest of 20 sizes can be more than three times the next one. Steady and
# noisy sizes gave none in 160,000 runs.
@pytest.mark.parametrize("schedule", ["weekdays", "hourly"])
@pytest.mark.parametrize("sizes", SIZES)
def test_healthy_runs(sizes: str, schedule: str) -> None:
    assert alerts_of_healthy_runs(sizes, schedule, SEEDS) == Counter()


# 52 runs a day, then a night, and perhaps a weekend.
@pytest.mark.parametrize("schedule", ["busy", "busy on weekdays"])
def test_many_healthy_runs_a_day(schedule: str) -> None:
    assert alerts_of_healthy_runs("lognormal", schedule, range(1)) == Counter()


# Rare runs, of each weekday: once a week, every two weeks, on the first of a month, twice a month.
def test_rare_healthy_runs() -> None:
    for first in range(7):
        start = MONDAY_AT_9 + timedelta(days=first)
        firsts = [start.replace(year=2025 + n // 12, month=1 + n % 12, day=1) for n in range(60)]
        for starts in (
            [start + timedelta(weeks=number) for number in range(60)],
            [start + timedelta(weeks=2 * number) for number in range(60)],
            firsts,
            sorted([*firsts, *(one.replace(day=15) for one in firsts)]),
        ):
            moments = [Moment(f"{number}", one) for number, one in enumerate(starts)]
            assert late_courses(moments, starts[-1], LATE) == []


FAULTY = 100
Change = Callable[[MeasuredRun], dict[str, Any]]


def with_new_error(run: MeasuredRun, count: int) -> dict[str, Any]:
    return {
        "failed_count": run.failed_count + count,
        "failed": {**run.failed, "new": count},
    }


def with_invalid(run: MeasuredRun, count: int) -> dict[str, Any]:
    return {"failed_count": run.failed_count + count, "invalid_count": count}


FAULTS: list[tuple[str | None, Change]] = [
    ("mass_removal", lambda run: {"exit_count": run.member_count}),
    ("rejection_rate", lambda run: {"failed_count": run.planned_count // 10}),
    ("rejection_rate", lambda run: {"failed_count": run.planned_count // 5}),
    ("invalid_rate", lambda run: with_invalid(run, run.planned_count // 10)),
    ("new_error_pattern", lambda run: with_new_error(run, 5)),
    ("record_count", lambda run: {"planned_count": run.planned_count * 10}),
    ("full_resync", lambda run: {"known_adding_count": run.adding_count}),
    ("duration", lambda run: {"microseconds": 6 * (run.microseconds or 0)}),
    ("incomplete_log", lambda _: {"is_incomplete": True}),
    ("run_failed", lambda _: {"has_failed": True}),
    (None, lambda run: with_new_error(run, 4)),
    (None, lambda run: {"planned_count": round(run.planned_count * 1.5)}),
    (None, lambda run: {"planned_count": round(run.planned_count / 1.5)}),
    (None, lambda run: {"microseconds": 2 * (run.microseconds or 0)}),
]
# The distance of a run without rows is the median. Of noisy sizes, that is often less than five
# deviations.
DROPS: list[tuple[str, Change]] = [
    ("record_count", lambda run: {"planned_count": run.planned_count // 10}),
    ("record_count", lambda _: {"planned_count": 0}),
]


# One run has a fault, and the next one resolves it, even if it has fewer rejected or invalid rows
# than the minimum. Nothing else is found than without the fault.
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("sizes", "rejected", "rule", "fault"),
    [
        *[("steady", 0.015, *one) for one in [*FAULTS, *DROPS]],
        *[("steady", 0, *one) for one in FAULTS],
        *[("noisy", 0.015, *one) for one in FAULTS],
    ],
)
def test_a_fault(sizes: str, rejected: float, rule: str | None, fault: Change, seed: int) -> None:
    rng = Random(seed)
    starts = starts_of(rng, "weekdays")
    runs = healthy_runs(rng, sizes, starts, rejected)
    healthy = found_in(runs, starts)
    runs[FAULTY] = replace(runs[FAULTY], **fault(runs[FAULTY]))
    expected = [(rule, str(FAULTY), str(FAULTY + 1))] if rule else []
    assert sorted(found_in(runs, starts)) == sorted([*healthy, *expected])


# Each weekday without a run is found but Monday, which is beside the weekend.
@pytest.mark.parametrize("seed", range(2))
def test_a_missing_run(seed: int) -> None:
    rng = Random(seed)
    starts = starts_of(rng, "weekdays")
    runs = healthy_runs(rng, "noisy", starts)
    healthy = found_in(runs, starts)
    for missing in range(FAULTY, FAULTY + 5):
        left = [number for number in range(RUNS) if number != missing]
        found = found_in([runs[number] for number in left], [starts[number] for number in left])
        late = [one for one in found if one not in healthy]
        is_found = starts[missing].weekday() != 0
        assert late == ([("late", str(missing - 1), str(missing + 1))] if is_found else [])


# A night of 11 hours without a run is usual; two hours more of it are not late, six are.
def test_a_missing_morning() -> None:
    starts = starts_of(Random(0), "busy")
    for hours, is_found in ((2, False), (6, True)):
        wednesday = MONDAY_AT_9 + timedelta(days=16)
        left = [one for one in starts if not 0 <= (one - wednesday) / timedelta(hours=1) < hours]
        moments = [Moment(f"{number}", one) for number, one in enumerate(left)]
        found = [one.opened.at for one in late_courses(moments, left[-1], LATE)]
        assert [one.date() for one in found if one] == [wednesday.date()] * is_found


def files_of(rng: Random, empties: int | None = None) -> list[BatchFile]:
    """Runs of rows on weekdays; what is rejected succeeds in the next run."""
    files = []
    members: set[str] = set()
    failed: set[str] = set()
    for day in [day for day in range(2, 60) if day % 7 >= 2]:
        minute = day * 24 * 60 + rng.randrange(30)
        sent = {f"{rng.randrange(600):03}" for _ in range(rng.randint(60, 140))} | failed
        bad = set(rng.sample(sorted(sent - failed), rng.randint(0, 1)))
        gone = set(rng.sample(sorted(members - sent), min(3, len(members - sent))))
        if day == empties:
            sent, bad, gone = set(), set(), members
        words = [(one, "upsert", "rejected" if one in bad else "succeeded") for one in sorted(sent)]
        words += [(one, "delete", "succeeded") for one in sorted(gone)]
        rows = [
            row(*one, message=f"no {rng.randrange(3)}", started=minute, ended=minute + 5)
            for one in words
        ]
        files.append(batch(f"{day}", *rows))
        members = members - gone | sent - bad
        failed = bad
    return files


@pytest.mark.parametrize("seed", range(3))
def test_rows_of_healthy_runs(seed: int) -> None:
    assert alerts(*files_of(Random(seed))) == []
    found = alerts(*files_of(Random(seed), empties=45))
    opened = picked(found, "rule opened_sync_run_id severity")
    assert ("mass_removal", "45", "critical") in opened
    assert {run for _, run, _ in opened} == {"45"}
