"""Charts: which days they show, and the numbers of their bars."""

import re
from datetime import date, timedelta
from typing import Any

import pytest

from sync_logs_viewer import charts


def test_a_chart_shows_the_last_of_the_longest_stretches() -> None:
    days = [{"activity_date": date(2026, 1, day)} for day in (1, 2, 5, 10, 11, 20)]
    assert charts.stretch(days) == days[3:5]
    assert charts.stretch([]) == []


@pytest.mark.parametrize(
    ("draw", "bars"),
    [
        (
            charts.outcomes_now,
            [("7", "Succeeded"), ("3", "Rejected"), ("2", "Invalid"), ("4", "Not attempted")],
        ),
        (charts.audience_now, [("6", "Entered"), ("\u22121", "Left")]),
    ],
)
def test_a_bar_has_the_numbers_of_its_day(draw: Any, bars: list[tuple[str, str]]) -> None:
    counts = {"succeeded_count": 7, "failed_count": 5, "invalid_count": 2, "aborted_count": 4}
    day = {"activity_date": date(2026, 3, 1), **counts, "entry_count": 6, "exit_count": 1}
    found = re.findall(r'; (?:Records|Members): ([^;"]+); what: ([^"]+)"', draw([day], "name"))
    assert found == bars


BAR = re.compile(r'"day \(.*?\): ([^;"]+); Failures: ([^;"]+); what: (\w+)"')


def drawn_failures(days: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """The day or month, the number and the kind of each bar."""
    return BAR.findall(charts.failures_now(days, "failures") or "")


def test_a_bar_of_a_month_has_the_failures_open_at_its_end() -> None:
    """A failure that is open on 31 days is one failure; two that were repaired are two."""
    begin, days = date(2025, 1, 1), []
    for number in range(368):
        day = {"activity_date": begin + timedelta(number), "open_failure_count": 5}
        days.append(day | {"repaired_failure_count": 0})
    days[0]["repaired_failure_count"] = days[1]["repaired_failure_count"] = 1
    # the last day of January, and the day on which the log ends
    days[30]["open_failure_count"], days[367]["open_failure_count"] = 3, 4
    drawn = drawn_failures(days)
    assert drawn[:3] == [
        ("Jan 2025", "3", "Open"),
        ("Jan 2025", "\u22122", "Repaired"),
        ("Feb 2025", "5", "Open"),
    ]
    assert drawn[-2:] == [("Jan 2026", "4", "Open"), ("Jan 2026", "0", "Repaired")]
    assert len(drawn) == 2 * 13
    # on a day less, the bars are days
    drawn = drawn_failures(days[1:])
    assert drawn[:2] == [
        ("Jan 02, 2025", "5", "Open"),
        ("Jan 02, 2025", "\u22121", "Repaired"),
    ]
    assert len(drawn) == 2 * 367
    assert drawn_failures([]) == []
