"""When alerts open, worsen and are resolved (docs/answers.md, Alerts)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from .alert_rules import SEVERITIES, Limits
from .alert_values import Measured

# With how few gaps before it a gap is not compared, and how soon after the first run.
FEWEST_GAPS_BEFORE = 10
FIRST_DAYS = timedelta(days=8)
# Which gaps of its kind are compared with a gap: the last ones, and those of the last days.
LAST_GAPS = 50
LAST_DAYS = timedelta(days=15)
FRIDAY = 4


@dataclass(frozen=True)
class Moment:
    """A run and a time that belongs to it."""

    sync_run_id: str
    at: datetime | None


@dataclass
class Course:
    """From where to where an alert goes; it is open while `resolved` is None."""

    severity: str
    value: float
    threshold: float
    measured: Moment
    opened: Moment
    worst_severity: str
    worsened: Moment | None = None
    resolved: Moment | None = None


@dataclass(frozen=True)
class Gap:
    """The time from the start of a run to that of the next, which is None at the end of the log."""

    before: Moment
    started_at: datetime
    ended_at: datetime
    next_run: Moment | None

    @property
    def microseconds(self) -> int:
        """How long it is."""
        return (self.ended_at - self.started_at) // timedelta(microseconds=1)

    @property
    def starts_late_in_the_week(self) -> bool:
        """Whether it starts on a Friday, a Saturday or a Sunday."""
        return self.started_at.weekday() >= FRIDAY


def courses_of(
    runs: Sequence[Moment],
    values: Sequence[Measured],
    limits: Limits,
    opens_only_in: int | None = None,
) -> list[Course]:
    """Follow the level of a rule from run to run."""
    courses = []
    current: Course | None = None
    for index, (run, measured) in enumerate(zip(runs, values, strict=True)):
        if measured.value is None:
            continue
        severity = limits.severity_of(measured.value)
        if severity is not None and _is_below_minimum(measured, limits):
            continue
        if severity is None:
            if current is not None:
                current.resolved = run
            current = None
        elif current is not None:
            current.severity = severity
            current.value, current.threshold = measured.value, limits.thresholds[severity]
            current.measured = run
            if SEVERITIES.index(severity) > SEVERITIES.index(current.worst_severity):
                current.worst_severity, current.worsened = severity, run
        elif opens_only_in in (None, index):
            threshold = limits.thresholds[severity]
            current = Course(severity, measured.value, threshold, run, run, severity)
            courses.append(current)
    return courses


def _is_below_minimum(measured: Measured, limits: Limits) -> bool:
    if measured.counted is None or limits.minimum is None:
        return False
    return measured.counted < limits.minimum


def late_courses(starts: Sequence[Moment], until: datetime | None, limits: Limits) -> list[Course]:
    """Find the gaps between the starts of runs, and after the last one, that are too long."""
    gaps = _gaps(starts, until)
    courses = []
    for index, gap in enumerate(gaps):
        is_early = gap.started_at - gaps[0].started_at < FIRST_DAYS
        largest = _largest_before(gap, gaps[:index])
        if index < FEWEST_GAPS_BEFORE or is_early or largest == 0:
            continue
        value = gap.microseconds / largest
        severity = limits.severity_of(value)
        if severity is not None:
            courses.append(_late_course(gap, largest, value, severity, limits))
    return courses


def _gaps(starts: Sequence[Moment], until: datetime | None) -> list[Gap]:
    known = [(one, one.at) for one in starts if one.at is not None]
    gaps = [Gap(one, at, next_at, after) for (one, at), (after, next_at) in pairwise(known)]
    if known and until is not None:
        last, at = known[-1]
        gaps.append(Gap(last, at, until, None))
    return gaps


def _largest_before(gap: Gap, before: Sequence[Gap]) -> int:
    """Find the largest gap of its kind that counts, in microseconds."""
    alike = [one for one in before if one.starts_late_in_the_week == gap.starts_late_in_the_week]
    recent = [one for one in alike if gap.started_at - one.started_at <= LAST_DAYS]
    return max((one.microseconds for one in [*alike[-LAST_GAPS:], *recent]), default=0)


def _late_course(gap: Gap, largest: int, value: float, severity: str, limits: Limits) -> Course:
    threshold = limits.thresholds[severity]
    lowest = min(limits.thresholds.values())
    return Course(
        severity=severity,
        value=value,
        threshold=threshold,
        measured=gap.before,
        opened=_moment_in(gap, lowest * float(largest)),
        worst_severity=severity,
        worsened=_moment_in(gap, threshold * float(largest)) if threshold > lowest else None,
        resolved=gap.next_run,
    )


def _moment_in(gap: Gap, microseconds: float) -> Moment:
    """Return the time in a gap at which it has lasted that long, to the microsecond below."""
    at = gap.started_at + timedelta(microseconds=int(microseconds))
    return Moment(gap.before.sync_run_id, at)
