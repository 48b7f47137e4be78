"""One sync: its runs, the outcomes of its records over time, and its most common errors."""

from sync_logs_viewer import charts
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.web.pages import Page, Route, activity_of, the_sync
from sync_logs_viewer.web.parameters import Parameters, key_of

RUNS = 50
ERRORS = 10
PARAMETERS = ("organization_id", "sync_id", "after")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of a sync."""
    sync = parameters.sync()
    after = parameters.key("after", int, str)
    build, (syncs, runs, days, errors) = await answers.all(
        catalog.sync(sync),
        catalog.runs(sync, (after[0], after[1]) if after else None, RUNS + 1),
        catalog.activity(sync),
        catalog.errors_of_sync(sync, ERRORS),
    )
    found = the_sync(sync, syncs)
    charted = charts.stretch(days)
    last = runs[:RUNS][-1] if len(runs) > RUNS else None
    return Page(
        found["model_name"] or f"Sync {sync.sync_id}",
        build,
        {
            "sync": found,
            "runs": runs[:RUNS],
            **activity_of(days),
            "errors": errors,
            "after": last and key_of(last["run_position"] or 0, last["sync_run_id"]),
        },
        {"chart": await charts.outcomes(charted), "charted_count": len(charted)},
    )


ROUTE = Route("/sync", "sync.html", PARAMETERS, make)
