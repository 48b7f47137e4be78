"""Two periods of a sync to compare: unless dates are given, its last seven days and those before.

A period is whole days of UTC, the first and the last one included.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

# the dates that a caller can give: of the later period, then of the earlier one
DATES = ("from", "until", "before_from", "before_until")
DAYS = 7


class PeriodError(ValueError):
    """The given dates make no two periods; the message says what to change."""


@dataclass(frozen=True)
class Period:
    """Days of UTC, from the first to the last one."""

    first: date
    last: date

    @property
    def day_count(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1


def last_day_of(days: list[dict[str, Any]]) -> date | None:
    """The last day of a sync's calendar; None if it has none."""
    return days[-1]["activity_date"] if days else None


def two_periods(
    given: Mapping[str, date | None], last_day: date | None, spelled: Callable[[str], str]
) -> tuple[Period, Period] | None:
    """The later and the earlier period; None if the later one can have no last day.

    `spelled` is how the caller writes the name of a date. Raises PeriodError.
    """
    until = given["until"] or last_day
    if until is None:
        return None
    later = _period(given, ("from", "until"), until, DAYS, spelled)
    before_until = given["before_until"] or _moved(later.first, -1)
    earlier = _period(
        given, ("before_from", "before_until"), before_until, later.day_count, spelled
    )
    if earlier.last >= later.first:
        raise PeriodError(
            f"{spelled('before_until')} is {earlier.last}; expected a day before {later.first}, "
            "with which the later period begins."
        )
    return later, earlier


def _period(
    given: Mapping[str, date | None],
    names: tuple[str, str],
    last: date,
    day_count: int,
    spelled: Callable[[str], str],
) -> Period:
    """A period that ends with a day, and has a number of days unless its first one is given."""
    first = given[names[0]] or _moved(last, 1 - day_count)
    if first > last:
        raise PeriodError(
            f"{spelled(names[0])} is {first}; expected no day after {spelled(names[1])}, {last}."
        )
    return Period(first, last)


def _moved(day: date, days: int) -> date:
    try:
        return day + timedelta(days)
    except OverflowError:
        raise PeriodError(f"There are no days before {date.min}; expected later dates.") from None
