"""The alert of a sync that is late (docs/answers.md): expected values worked out by hand."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from oracle import AlertRule
from oracle.alert_courses import Gap, Moment, late_courses
from oracle.alert_rules import limits_of
from oracle.building import at, batch, lake_of, row, sent
from oracle.lake import BatchFile
from oracle.retention import Retained, SyncSettings
from specification.small_lake_answers import AS_OF, DAY, answers, picked

# The first day of the small lakes is a Saturday. Eight days before this Monday is a Sunday.
MONDAY = 9 * DAY
LATE = "opened_at opened_sync_run_id worsened_at worsened_sync_run_id resolved_at"
MONDAY_AT_9 = datetime(2025, 3, 3, 9, tzinfo=timezone.utc)


def starts(*minutes: int, **place: str) -> list[BatchFile]:
    """Runs that start at these minutes of a Monday; each has a number."""
    rows = [
        row("a", "upsert", "succeeded", started=MONDAY + one, ended=MONDAY + one) for one in minutes
    ]
    return [batch(f"{n}", one, **place) for n, one in enumerate(rows)]


def late(*files: BatchFile, **more: Any) -> list[tuple[Any, ...]]:
    found = [one for one in answers(*files, **more)["sync_alerts"] if one["rule"] == "late"]
    return picked(found, f"{LATE} resolved_sync_run_id severity value threshold")


def values_of_gaps(*times: datetime, until: datetime | None = None) -> list[tuple[str, float]]:
    """The runs before gaps that are too long, and their values."""
    moments = [Moment(f"{n}", time) for n, time in enumerate(times)]
    found = late_courses(moments, until or times[-1], limits_of("late", "o", "s"))
    return [(one.opened.sync_run_id, one.value) for one in found]


# A run on a Sunday, and ten runs 10 minutes apart on the second Monday after it: ten gaps. The next
# run is late, or there is none.
TEN = (-8 * DAY, *range(0, 100, 10))


@pytest.mark.parametrize(
    ("gap", "severity", "worsened"),
    [(14, None, None), (15, "warning", None), (29, "warning", None), (30, "critical", 120)],
)
def test_a_late_run(gap: int, severity: str | None, worsened: int | None) -> None:
    opened = (at(MONDAY + 105), "10")
    worse = (at(MONDAY + worsened), "10") if worsened else (None, None)
    threshold = 3.0 if worsened else 1.5
    for following in ((), (gap + 91,)):
        end = (at(MONDAY + gap + 90), "11")
        found = late(*starts(*TEN, gap + 90, *following))
        expected = (*opened, *worse, *end, severity, gap / 10, threshold)
        assert found == ([expected] if severity else [])
    # the data of another sync goes on
    found = late(*starts(*TEN), *starts(gap + 90, sync="t"))
    expected = (*opened, *worse, None, None, severity, gap / 10, threshold)
    assert found == ([expected] if severity else [])
    assert late(*starts(*TEN), *starts(gap + 90, sync="t", organization="p")) == []


def test_health_of_a_late_sync() -> None:
    files = (*starts(*TEN), *starts(105, sync="t"))
    for rules, health in (
        ((), ("silent", 1, 0)),
        ((AlertRule("late", "critical", 1.5),), ("silent", 1, 1)),
        ((AlertRule("late", "off"),), ("ok", 0, 0)),
        ((AlertRule("late", "warning", muted_until=AS_OF),), ("ok", 0, 0)),
    ):
        found = answers(*files, alert_rules=rules)["sync_health"]
        assert picked(found, "sync_id health open_alert_count open_critical_count") == [
            *[("s", *health), ("t", "ok", 0, 0)]
        ]


# Both thresholds are the same: it opens with the worst severity. To the microsecond below.
def test_thresholds_of_the_user() -> None:
    rules = (AlertRule("late", "warning", 1.1), AlertRule("late", "critical", 1.1))
    ((opened_at, _, *worsened, _, _, severity, _, _),) = late(*starts(*TEN, 102), alert_rules=rules)
    assert (opened_at, worsened, severity) == (at(MONDAY + 101), [None, None], "critical")
    seventh = (AlertRule("late", "critical", 1 + 1 / 7),)
    ((opened_at, *_),) = late(*starts(*TEN, 102), alert_rules=seventh)
    # a seventh of 10 minutes
    assert opened_at - at(MONDAY + 100) == timedelta(minutes=1, seconds=25, microseconds=714285)


# Nine gaps before are too few. Of all gaps before, the largest of the last 50 counts. These are
# weeks, so all gaps start on a Monday.
def test_which_gaps_count() -> None:
    def gaps(*weeks: int) -> list[tuple[str, float]]:
        times = [MONDAY_AT_9]
        for one in weeks:
            times.append(times[-1] + timedelta(weeks=one))
        return values_of_gaps(*times)

    assert gaps(*[1] * 9, 60) == []
    assert gaps(*[1] * 10, 60) == [("10", 60.0)]
    assert gaps(*[1] * 9, 30, 40, 50, 80) == [("12", 1.6)]
    assert gaps(30, *[1] * 49, 44) == []
    assert gaps(30, *[1] * 50, 44) == [("51", 44.0)]
    # gaps without a length count as gaps before
    assert gaps(*[0] * 9, 2, 60) == [("10", 30.0)]
    assert gaps(*[0] * 8, 2, 60) == []


# More than 50 gaps later: a gap counts if it started at most 15 days before, from Wednesday to
# Thursday. The runs in between end on a Friday.
@pytest.mark.parametrize(("minutes", "expected"), [(0, []), (1, [("77", 2.2)])])
def test_gaps_of_fifteen_days(minutes: int, expected: list[Any]) -> None:
    first = datetime(2025, 3, 12, 23, tzinfo=timezone.utc)
    times = [first, *(first + timedelta(minutes=30 + 20 * n) for n in range(76))]
    times.append(first + timedelta(days=15, minutes=minutes))
    times.append(times[-1] + timedelta(minutes=44))
    assert values_of_gaps(*times) == expected


# A gap that starts less than 8 days after the first run has no value. The first run is on a Sunday.
@pytest.mark.parametrize(("minutes", "expected"), [(0, [("10", 60.0)]), (1, [])])
def test_the_first_days(minutes: int, expected: list[Any]) -> None:
    last = datetime(2025, 3, 10, 9, tzinfo=timezone.utc)
    first = last - timedelta(days=8) + timedelta(minutes=minutes)
    times = [first, *(last - timedelta(minutes=n) for n in range(9, -1, -1))]
    assert values_of_gaps(*times, until=last + timedelta(hours=1)) == expected


# No gap of the kind is before it, or none that had a length.
def test_the_first_gaps_of_a_kind() -> None:
    days = [day for day in range(24) if day % 7 < 4]
    times = [MONDAY_AT_9 + timedelta(days=day) for day in days]
    friday = MONDAY_AT_9 + timedelta(days=25)
    until = friday + timedelta(days=50)
    assert values_of_gaps(*times, friday, until=until) == []
    assert values_of_gaps(*times, friday, friday, until=until) == []
    hour = timedelta(hours=1)
    assert values_of_gaps(*times, friday, friday + hour, until=until) == [("16", 1199.0)]


# Runs on weekdays. The gap of a weekend is compared with that of others.
def test_weekends() -> None:
    days = [day for day in range(40) if day % 7 < 5]
    times = [MONDAY_AT_9 + timedelta(days=day) for day in days]
    assert values_of_gaps(*times) == []
    for missing, expected in (
        # a Tuesday, a Friday, a Monday, both of them, and a Monday and a Tuesday
        ({15}, [("10", 2.0)]),
        ({18}, [("13", 4.0)]),
        ({21}, []),
        ({18, 21}, [("13", 5.0)]),
        ({21, 22}, [("14", 5 / 3)]),
    ):
        left = [MONDAY_AT_9 + timedelta(days=day) for day in days if day not in missing]
        assert values_of_gaps(*left) == expected
    # silent after the fifth Wednesday
    assert values_of_gaps(*times[:23], until=times[22] + timedelta(hours=36)) == [("22", 1.5)]


# The kind of a gap is that of the day on which it starts.
@pytest.mark.parametrize(
    ("start", "is_late_in_the_week"),
    [
        ("2025-03-13T23:59:59.999999", False),
        ("2025-03-14T00:00:00", True),
        ("2025-03-15T12:00:00", True),
        ("2025-03-16T23:59:59.999999", True),
        ("2025-03-17T00:00:00", False),
    ],
)
def test_the_kind_of_a_gap(start: str, is_late_in_the_week: bool) -> None:
    start_at = datetime.fromisoformat(start).replace(tzinfo=timezone.utc)
    for hours in (0, 1, 24, 2400):
        gap = Gap(Moment("1", start_at), start_at, start_at + timedelta(hours=hours), None)
        assert gap.starts_late_in_the_week == is_late_in_the_week


# The order of runs counts, settled or not; those without a time are left out.
def test_runs_without_a_time() -> None:
    mirror = batch("m", row("a", "mirror", "succeeded", started=MONDAY + 104))
    files = starts(*TEN, 110)
    assert [one[7] for one in late(*files)] == [2.0]
    assert late(*files, mirror) == []
    assert len(late(*files, sent("999", None, "a"))) == 1
    assert answers(sent("1", None, "a"))["sync_health"][0]["health"] == "ok"


# Also a sync whose runs are not kept has data of its organisation. It has no alerts itself.
def test_syncs_that_are_not_kept() -> None:
    lake = lake_of(*starts(*TEN, 110), *starts(105, 140, sync="t"))
    for setting, health in (("t", [("s", "silent")]), ("s", [("t", "ok")])):
        settings = (SyncSettings("o", setting, keep_runs=False),)
        found = Retained().built(lake, AS_OF, settings).answers()
        assert picked(found["sync_health"], "sync_id health") == health
        assert {one["sync_id"] for one in found["sync_alerts"]} <= {health[0][0]}
