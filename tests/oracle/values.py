"""What many rules need: groups of values, and times and texts of which some are null."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def grouped(values: Iterable[Value], key: Callable[[Value], Key]) -> dict[Key, list[Value]]:
    """Group values by a key; groups and what is in them are in the order of the values."""
    found: dict[Key, list[Value]] = {}
    for value in values:
        found.setdefault(key(value), []).append(value)
    return found


def earliest(times: Iterable[datetime | None]) -> datetime | None:
    """Return the earliest known time."""
    return min((time for time in times if time is not None), default=None)


def latest(times: Iterable[datetime | None]) -> datetime | None:
    """Return the latest known time."""
    return max((time for time in times if time is not None), default=None)


def microseconds_between(start: datetime | None, end: datetime | None) -> int | None:
    """Return how long something lasts; None if its start or its end is not known."""
    return None if start is None or end is None else (end - start) // timedelta(microseconds=1)


def ratio(part: float, whole: float) -> float | None:
    """Return a part of a whole; None if there is nothing."""
    return part / whole if whole else None


def last_known(texts: Sequence[str | None]) -> str | None:
    """Return the last text that is not null."""
    known = [text for text in texts if text is not None]
    return known[-1] if known else None


def byte_order(text: str | None) -> tuple[bool, bytes]:
    """Return a sort key that orders texts by their bytes, null last."""
    return text is None, (text or "").encode()


def null_first(text: str | None) -> tuple[bool, bytes]:
    """Return a sort key that orders texts by their bytes, null first."""
    return text is not None, (text or "").encode()
