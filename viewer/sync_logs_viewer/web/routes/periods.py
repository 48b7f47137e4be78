"""Two periods of a sync, side by side: what it did in each, its errors, and fields that changed."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.periods import DATES, DAYS, Period, PeriodError, last_day_of, two_periods
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.web.pages import (
    Page,
    Route,
    cut,
    the_sync,
    with_lists,
    with_optional,
    with_samples,
)
from sync_logs_viewer.web.parameters import AddressError, Parameters

ROWS, CHANGES = 200, 100
# days of the periods that the page offers
LENGTHS = (DAYS, 28)
# what is compared, and of what a share of the attempted records is shown
MEASURES = {
    "runs": "run_count",
    "failed runs": "failed_run_count",
    "runs in progress": "unsettled_run_count",
    "incomplete logs": "incomplete_run_count",
    "planned": "planned_count",
    "attempted": "attempted_count",
    "succeeded": "succeeded_count",
    "failed": "failed_count",
    "invalid": "invalid_count",
    "not attempted": "aborted_count",
    "failures repaired": "repaired_failure_count",
    "failures open at the end": "open_failure_count",
}
MOVES = {"members entered": "entry_count", "members left": "exit_count"}
SHARES = ("succeeded", "failed", "invalid")
PARAMETERS = ("organization_id", "sync_id", *DATES)


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of two periods."""
    sync = parameters.sync()
    # a form also sends the dates that are left empty
    given = {name: parameters.day(name) if parameters.text(name) else None for name in DATES}
    of_sync = (catalog.sync(sync), catalog.activity(sync))
    build, (syncs, days) = await answers.all(*of_sync)
    found, last_day = the_sync(sync, syncs), last_day_of(days)
    title = f"{found['model_name'] or f'Sync {sync.sync_id}'}: two periods"
    try:
        both = two_periods(given, last_day, repr)
    except PeriodError as error:
        raise AddressError(str(error)) from None
    if both is None:
        nothing: dict[str, Any] = {"period": None, "before": None, "counts": []}
        nothing |= {**cut("patterns", [], ROWS), **cut("payload_changes", [], CHANGES)}
        return Page(title, build, {"sync": found, **nothing})
    build, (syncs, _, rows, patterns), changes = await with_optional(
        answers,
        (
            *of_sync,
            catalog.periods(sync, *both),
            catalog.patterns_of_periods(sync, *both, ROWS + 1),
        ),
        catalog.changes_of_periods(sync, *both, CHANGES + 1),
        "payload_schema_changes",
    )
    found = the_sync(sync, syncs)
    before, period = with_lists(rows, "incomplete_sync_run_ids")
    return Page(
        title,
        build,
        {
            "sync": found,
            "period": period,
            "before": before,
            "counts": counts_of(period, before, bool(found["member_count"])),
            **cut("patterns", with_samples(patterns), ROWS),
            **cut("payload_changes", with_lists(changes, "json_types"), CHANGES),
        },
        {
            "offered": _offered(both, last_day),
            "both": [(before, both[1].day_count), (period, both[0].day_count)],
        },
    )


def counts_of(
    period: Mapping[str, Any], before: Mapping[str, Any], is_audience: bool
) -> list[dict[str, Any]]:
    """Each measure in both periods; entries and exits of an audience only if there are some."""
    has_moved = any(one[column] for one in (period, before) for column in MOVES.values())
    measures = {**MEASURES, **(MOVES if is_audience or has_moved else {})}
    return [
        {
            "measure": measure,
            "count": period[column],
            "before_count": before[column],
            "share": period.get(f"{measure}_share") if measure in SHARES else None,
            "before_share": before.get(f"{measure}_share") if measure in SHARES else None,
        }
        for measure, column in measures.items()
    ]


def _offered(
    both: tuple[Period, Period], last_day: date | None
) -> list[tuple[int, dict[str, date], bool]]:
    """Lengths to choose, each with the dates for its address, and whether it is shown."""
    if last_day is None:
        return []
    firsts = [(one, date.fromordinal(max(last_day.toordinal() + 1 - one, 1))) for one in LENGTHS]
    return [
        (
            length,
            {} if length == DAYS else {"from": first},
            (both[0], both[1].last) == (Period(first, last_day), both[0].first - timedelta(1))
            and both[1].day_count == length,
        )
        for length, first in firsts
    ]


ROUTE = Route("/periods", "periods.html", PARAMETERS, make)
