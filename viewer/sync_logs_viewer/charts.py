"""Charts as SVG, for pages and the report: without scripts, and with text as text.

They need the extra `charts` of the distribution (Altair and vl-convert). Without it there are no
charts, and a page shows only the table. Colours come from the style sheet, through the classes
that Vega gives its marks, so that a chart is readable in light and dark.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

Rows = Sequence[Mapping[str, Any]]

WIDTH, HEIGHT = 860, 180
# readable on white and on black
SUCCESS, FAILURE, INVALID, LEFT_OUT = "#3c8f5a", "#d0503f", "#c98a1b", "#8a8f98"
OUTCOMES = {
    "succeeded_count": ("Succeeded", SUCCESS),
    "rejected_count": ("Rejected", FAILURE),
    "invalid_count": ("Invalid", INVALID),
    "aborted_count": ("Not attempted", LEFT_OUT),
}
MOVES = {"entry_count": ("Entered", SUCCESS), "exit_count": ("Left", FAILURE)}
FAILURES = {
    "open_failure_count": ("Open", FAILURE),
    "repaired_failure_count": ("Repaired", SUCCESS),
}
# these are drawn below zero
SUBTRACTED = ("exit_count", "repaired_failure_count")
# of more days, the bars are months: one could not tell the days apart
DAYS_IN_BARS = 366
# Vega numbers the elements that it draws, with the same numbers in each chart of a page
IDS = re.compile(r'(id="|url\(#|href="#)(clip|gradient_)')


def lacking() -> str | None:
    """The package without which there are no charts; None if all are installed."""
    return next((one for one in ("altair", "vl_convert") if find_spec(one) is None), None)


def stretch(days: Rows) -> Rows:
    """The days that a chart shows: of the longest time without a day left out, the last one.

    A calendar leaves out long silences. A wrong time far from all others would otherwise take the
    whole width.
    """
    best = start = 0
    length = 0
    for place, day in enumerate(days):
        is_next = place and (day["activity_date"] - days[place - 1]["activity_date"]).days == 1
        start = start if is_next else place
        if place + 1 - start >= length:
            best, length = start, place + 1 - start
    return days[best : best + length]


async def outcomes(days: Rows) -> str | None:
    """Outcomes of a sync's records by day; None without the extra, or without days."""
    return await asyncio.to_thread(outcomes_now, days, "outcomes")


async def audience(days: Rows) -> str | None:
    """Who entered and left an audience, by day; None without the extra, or without days."""
    return await asyncio.to_thread(audience_now, days, "audience")


async def failures(days: Rows) -> str | None:
    """Failures open and repaired, by day; None without the extra, or without days."""
    return await asyncio.to_thread(failures_now, days, "failures")


def outcomes_now(days: Rows, name: str) -> str | None:
    """The same, synchronously. The name is unique among the charts of a page."""
    counted = [
        {**day, "rejected_count": day["failed_count"] - day["invalid_count"]} for day in days
    ]
    return _drawn(name, _long(counted, OUTCOMES), OUTCOMES, "Records")


def audience_now(days: Rows, name: str) -> str | None:
    """The same, synchronously. The name is unique among the charts of a page."""
    return _drawn(name, _long(days, MOVES), MOVES, "Members")


def failures_now(days: Rows, name: str) -> str | None:
    """The same, synchronously. The name is unique among the charts of a page."""
    return _drawn(name, _long(open_once(days), FAILURES), FAILURES, "Failures")


def open_once(days: Rows) -> Rows:
    """The days, with open failures only where a bar may count them.

    A bar sums its days. The same failure is open on many of them, so a bar of a month has those
    of its last day.
    """
    dates: list[date] = [day["activity_date"] for day in days]
    if not days or not _are_months(dates[0], dates[-1]):
        return days
    # of each month, the last day overwrites the others
    ends = set({(one.year, one.month): one for one in dates}.values())
    return [
        day if day["activity_date"] in ends else {**day, "open_failure_count": 0} for day in days
    ]


def _are_months(first: date, last: date) -> bool:
    return (last - first).days > DAYS_IN_BARS


def _long(days: Rows, measures: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {
            "day": day["activity_date"].isoformat(),
            "what": label,
            "count": -int(day[name]) if name in SUBTRACTED else int(day[name]),
        }
        for day in days
        for name, (label, _) in measures.items()
    ]


def _drawn(
    name: str, rows: list[dict[str, Any]], measures: Mapping[str, tuple[str, str]], title: str
) -> str | None:
    if not rows:
        return None
    colours = tuple(measures.values())
    return _bars(name, json.dumps(rows), colours, title)


@lru_cache(maxsize=256)
def _bars(name: str, rows: str, colours: tuple[tuple[str, str], ...], title: str) -> str | None:
    """Stacked bars by day or month."""
    try:
        import altair as alt
        import vl_convert
    except ImportError:
        return None
    data = json.loads(rows)
    first, last = (date.fromisoformat(one["day"]) for one in (data[0], data[-1]))
    unit = "yearmonth" if _are_months(first, last) else "yearmonthdate"
    chart = (
        alt.Chart({"values": data}, width=WIDTH, height=HEIGHT)
        .mark_bar()
        .encode(
            x=alt.X(f"{unit}(day):T", title=None),
            y=alt.Y("sum(count):Q", title=title),
            color=alt.Color(
                "what:N",
                title=None,
                sort=None,
                scale=alt.Scale(
                    domain=[label for label, _ in colours], range=[colour for _, colour in colours]
                ),
                legend=alt.Legend(orient="top"),
            ),
        )
        .configure(background="transparent")
        .configure_view(stroke=None)
    )
    drawn = vl_convert.vegalite_to_svg(chart.to_dict())
    # ids must be unique across the charts of a page
    return IDS.sub(lambda found: f"{found.group(1)}{name}_{found.group(2)}", drawn)
