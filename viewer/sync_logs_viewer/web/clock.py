"""When something happened, for a reader: how long ago, and exactly, in a time zone of their choice.

It is how long before the reader opens the page, not before the build: they want to know how old
something is now. A report is read later, so it has exact times only.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from .formats import moment

UTC = "UTC"
# for the list of a page, from west to east; an address can name any other
COMMON = (
    *("America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York"),
    *("America/Sao_Paulo", UTC, "Europe/London", "Europe/Berlin", "Europe/Helsinki"),
    *("Africa/Johannesburg", "Europe/Istanbul", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata"),
    *("Asia/Bangkok", "Asia/Singapore", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney"),
    "Pacific/Auckland",
)
MINUTE, HOUR, DAY = 60, 3600, 86_400
# what is older is shown with its date
MOST_DAYS = 30


@cache
def zones() -> frozenset[str]:
    """The names of all time zones that this machine knows."""
    return frozenset({UTC, *available_timezones()})


@dataclass(frozen=True)
class Clock:
    """The time at which a page is opened, and the reader's time zone."""

    now: datetime
    zone: str = UTC
    is_relative: bool = True

    @property
    def choices(self) -> list[str]:
        """Time zones to choose from, also the current one."""
        known = [one for one in COMMON if one in zones()]
        return known if self.zone in known else [self.zone, *known]

    def shown(self, at: datetime) -> str:
        """How long ago a time was; the exact time if times are not relative."""
        seconds = (self.now - at.replace(tzinfo=timezone.utc)).total_seconds()
        if not self.is_relative or seconds < -MINUTE:
            return self.exactly(at)
        if seconds >= MOST_DAYS * DAY:
            return self.day(at)
        for name, length in (("day", DAY), ("hour", HOUR), ("minute", MINUTE)):
            count = int(seconds // length)
            if count > 0:
                return f"{count} {name}{'s' if count > 1 else ''} ago"
        return "just now"

    def exactly(self, at: datetime) -> str:
        """A time to the second, without its time zone, which the page names."""
        return moment(self._local(at))

    def in_full(self, at: datetime) -> str:
        """A time to the second, with its time zone."""
        local = self._local(at)
        offset = local.utcoffset() or timedelta()
        if self.zone == UTC:
            return f"{moment(local)} {UTC}"
        minutes = int(offset.total_seconds() // 60)
        sign = "-" if minutes < 0 else "+"
        hours = f"{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
        return f"{moment(local)} {sign}{hours} ({self.zone})"

    def day(self, at: datetime) -> str:
        """The day of a time."""
        return self.exactly(at)[:10]

    def _local(self, at: datetime) -> datetime:
        whole = at.replace(tzinfo=timezone.utc)
        if self.zone == UTC:
            return whole
        try:
            return whole.astimezone(ZoneInfo(self.zone))
        except (OverflowError, ValueError):
            # at the edge of what a date can be, there is no local time
            return whole


def clock_of(zone: str | None) -> Clock:
    """The clock of a reader; UTC if the zone is not known here."""
    known = zone if zone in zones() else None
    return Clock(datetime.now(timezone.utc), known or UTC)
