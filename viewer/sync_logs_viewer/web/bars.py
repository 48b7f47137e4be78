"""Small stacked bars, as rectangles of an SVG: of a day in a trend, of a run of a sync.

The height grows with the square root of the count, so that small ones can be seen beside a full
resync; the colours divide a bar by its true shares.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .counting import total

# a bar with a failure shows it, however small its share is
LEAST = 1.5


@dataclass(frozen=True)
class Part:
    """One colour of a bar: the class of the style sheet, its upper edge and its height."""

    colour: str
    top: float
    height: float


def bar(counts: Mapping[str, int], most: int, height: float) -> list[Part]:
    """The parts of a bar, from the bottom up. `most` is the largest count of all bars."""
    count = sum(counts.values())
    if not count or not most:
        return []
    shown = {colour: one for colour, one in counts.items() if one > 0}
    whole = max(height * (count / most) ** 0.5, LEAST * max(2, len(shown)))
    heights = {colour: max(whole * one / count, LEAST) for colour, one in shown.items()}
    # the largest part makes room for those that are drawn larger than they are
    heights[max(heights, key=heights.__getitem__)] -= sum(heights.values()) - whole
    parts, bottom = [], height
    for colour, part in heights.items():
        bottom -= part
        parts.append(Part(colour, round(bottom, 1), round(part, 1)))
    return parts


def outcomes(run: Mapping[str, Any]) -> dict[str, int]:
    """What became of the planned records of a run, by the colour of each outcome."""
    succeeded, failed, invalid = (total(run, one) for one in ("succeeded", "failed", "invalid"))
    left_out = total(run, "planned") - total(run, "attempted")
    return {"good": succeeded, "bad": failed - invalid, "warn": invalid, "open": left_out}


def strip(runs: Sequence[Mapping[str, Any]], height: float) -> list[list[Part]]:
    """A bar for each run, stacked by outcome."""
    counted = [outcomes(run) for run in runs]
    most = max((sum(one.values()) for one in counted), default=0)
    return [bar(one, most, height) for one in counted]


def trend(days: Iterable[Mapping[str, int]], height: float) -> list[list[Part]]:
    """A bar for each day of a sync: what succeeded below what failed."""
    counted = [
        {"good": int(day["succeeded_count"]), "bad": int(day["failed_count"])} for day in days
    ]
    most = max((sum(one.values()) for one in counted), default=0)
    return [bar(one, most, height) for one in counted]
