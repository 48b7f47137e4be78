"""Old failures, and times that are too late (docs/answers.md): expected values by hand."""

from datetime import timedelta
from typing import Any

import pytest

from oracle import AlertRule
from oracle.building import at, batch, lake_of, row
from oracle.lake import BatchFile, Lake
from oracle.retention import Retained
from specification.small_alerts import values
from specification.small_lake_answers import DAY, Metadata, answers, from_to, picked

OLD = "old_failures"


def failing(day: float, *keys: str, word: str = "rejected", **place: str) -> BatchFile:
    minute = round(day * DAY)
    rows = [row(one, "upsert", word, started=minute, ended=minute) for one in keys]
    return batch(f"{minute}", *rows, **place)


def sent_on(*days: float, **place: str) -> list[BatchFile]:
    return [failing(day, "z", word="succeeded", **place) for day in days]


# A failure is old after 7 days by the time of the runs, as long as it is open.
def test_old_failures() -> None:
    files = [failing(0, "a", "b"), failing(1, "c"), failing(6.9, "z", word="succeeded")]
    assert values("old_failures", *files) == []
    files.append(failing(7, "z", word="succeeded"))
    assert values("old_failures", *files) == [("10080", None, 2.0)]
    files.append(failing(8, "a", word="succeeded"))
    assert values("old_failures", *files) == [("10080", None, 2.0)]
    files.append(failing(9, "b", "c", word="succeeded"))
    assert values("old_failures", *files) == [("10080", "12960", 2.0)]
    # the threshold is a number of failures
    rules = (AlertRule("old_failures", "warning", 2), AlertRule("old_failures", "critical", 3))
    assert values("old_failures", *files[:5], alert_rules=rules) == [("10080", None, 2.0)]
    assert values("old_failures", *files[:5], alert_rules=rules[1:]) == []


# The latest time so far, also if a later run has an earlier one or none.
def test_old_failures_after_a_time_that_is_too_early() -> None:
    times: Metadata = {"2": from_to(at(2), at(7 * DAY + 2)), "3": {"sync_run_status": "done"}}
    files = (batch("1", row("a", "upsert", "rejected", ended=1)), batch("2"), batch("3"))
    assert values("old_failures", *files, metadata=times) == [("2", None, 1.0)]


# From 7 days until 30 days, not included: a record that fails once and is not sent for 31 days.
def test_a_failure_that_stays() -> None:
    files = [failing(0, "a"), *sent_on(6.99, 7, 29.99, 31)]
    for count, expected in (
        *[(2, []), (3, [("10080", None, 1.0)]), (4, [("10080", None, 1.0)])],
        (5, [("10080", f"{31 * DAY}", 1.0)]),
    ):
        assert values(OLD, *files[:count]) == expected
        assert len(answers(*files[:count])["record_failures"]) == 1
    # 30 days to the minute
    assert values(OLD, *files[:3], *sent_on(30)) == [("10080", f"{30 * DAY}", 1.0)]
    # no run while it is old
    assert values(OLD, files[0], *sent_on(31)) == []


# One failure is no longer old, others still are: the alert goes on with their number.
def test_failures_of_several_ages() -> None:
    files = [failing(0, "a"), failing(10, "b", "c"), *sent_on(20, 31, 39.99, 40)]
    assert [values(OLD, *files[:count])[0][1:] for count in range(3, 7)] == [
        *[(None, 3.0), (None, 2.0), (None, 2.0), (f"{40 * DAY}", 2.0)]
    ]
    # `a` fails again, but its failure is that of the first day
    files[3] = failing(31, "a")
    assert values(OLD, *files[:4]) == [(f"{10 * DAY}", None, 2.0)]
    # after an end, a new failure begins
    files[3:] = [*[failing(31, "a", word="succeeded"), failing(32, "a")], *sent_on(39)]
    assert values(OLD, *files) == [(f"{10 * DAY}", None, 3.0)]


# A run with a time far ahead of the build does not make failures old, or too old. Up to a day
# ahead, times count.
@pytest.mark.parametrize(
    ("day", "seconds", "expected"),
    [
        *[(7, 0, [("3", None, 1.0)]), (9, 0, [("3", None, 1.0)]), (9, 1, []), (9_999, 0, [])],
        (6.9, 0, []),
    ],
)
def test_a_run_that_is_ahead(day: float, seconds: int, expected: list[Any]) -> None:
    finish = at(round(day * DAY)) + timedelta(seconds=seconds)
    times: Metadata = {"3": from_to(at(8), finish)}
    files = [failing(0, "a"), failing(0.001, "z", word="succeeded"), batch("3")]
    lake = lake_of(*files, metadata=times)
    assert values(OLD, *files, metadata=times, as_of=at(8 * DAY)) == expected
    # the time is that of the last build
    retained = Retained().built(lake, at(0)).built(Lake(), at(8 * DAY))
    found = [one for one in retained.answers()["sync_alerts"] if one["rule"] == OLD]
    assert picked(found, "opened_sync_run_id resolved_sync_run_id value") == expected


# Later runs count as before, with their own times.
def test_runs_after_one_that_is_ahead() -> None:
    times: Metadata = {"1": from_to(at(1), at(9_999 * DAY))}
    files = [failing(0, "a"), batch("1"), *sent_on(6, 8, 29, 30)]
    assert values(OLD, *files[:3], metadata=times) == []
    assert values(OLD, *files[:4], metadata=times) == [(f"{8 * DAY}", None, 1.0)]
    assert values(OLD, *files, metadata=times) == [(f"{8 * DAY}", f"{30 * DAY}", 1.0)]


# A run on each of 16 days. The build is at the time of the last one.
DAILY = [failing(day, "z", word="succeeded", sync="daily") for day in range(16)]
BUILT_AT = at(15 * DAY)


def late_of(files: list[BatchFile], **more: Any) -> list[tuple[Any, ...]]:
    found = answers(*files, as_of=BUILT_AT, **more)["sync_alerts"]
    late = [one for one in found if one["rule"] == "late" and one["sync_id"] == "daily"]
    return picked(late, "opened_sync_run_id is_open value")


# All gaps are of one day. Two days after the run of day 14 the sync is late; a time that is more
# than a day ahead of the build does not say so.
@pytest.mark.parametrize(
    ("day", "is_late"), [(14, False), (16, True), (16.01, False), (17, False), (9_999, False)]
)
def test_a_sync_that_is_ahead(day: float, is_late: bool) -> None:
    files = [*DAILY[:15], *sent_on(day, sync="other")]
    expected = [(f"{14 * DAY}", True, 2.0)] if is_late else []
    assert late_of(files) == expected
    # the others of the organisation still count, and what else the sync ahead has
    files += sent_on(15.9, sync="third")
    expected = [(f"{14 * DAY}", True, 2.0 if is_late else 1.9)]
    assert late_of(files) == expected
    files[-1] = sent_on(15.9, sync="other")[0]
    if day > 16:
        assert late_of(files) == expected


# A run that is ahead neither ends a gap nor says how late the others are.
def test_only_a_sync_that_is_ahead() -> None:
    files = [*DAILY, *sent_on(20, sync="daily")]
    found = answers(*files, as_of=BUILT_AT)
    assert late_of(files) == []
    assert picked(found["sync_health"], "health data_until_at") == [("ok", at(20 * DAY))]
    files = [*DAILY[:13], *sent_on(20, sync="daily"), *sent_on(15, sync="other")]
    assert late_of(files) == [(f"{12 * DAY}", True, 3.0)]


# Muting looks at the time of the sync, as it is.
def test_muted_and_ahead() -> None:
    files = sent_on(20)
    failed: Metadata = {f"{20 * DAY}": {"sync_run_status": "failed"}}
    for day, is_muted in ((20, False), (21, True)):
        rules = (AlertRule("run_failed", "critical", muted_until=at(day * DAY)),)
        found = answers(*files, metadata=failed, as_of=BUILT_AT, alert_rules=rules)
        assert picked(found["sync_alerts"], "rule is_muted") == [("run_failed", is_muted)]
