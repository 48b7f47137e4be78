"""One sync: its health and runs, its outcomes and failures over time, and its errors."""

from sync_logs_viewer import charts
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.web.pages import (
    Page,
    Route,
    activity_of,
    first,
    has_failures,
    the_sync,
    with_samples,
)
from sync_logs_viewer.web.parameters import Parameters, key_of

from .alerts import question as alerts_of
from .alerts import unmuted
from .errors import counted

RUNS = 50
PATTERNS = 10
PARAMETERS = ("organization_id", "sync_id", "after")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of a sync."""
    sync = parameters.sync()
    after = parameters.key("after", int, str)
    organization_id, sync_id = sync.organization_id, sync.sync_id
    build, (syncs, runs, days, patterns, healths, alerts) = await answers.all(
        catalog.sync(sync),
        catalog.runs(sync, (after[0], after[1]) if after else None, RUNS + 1),
        catalog.activity(sync),
        catalog.error_patterns(organization_id, None, None, PATTERNS, sync_id),
        catalog.health(sync),
        alerts_of(organization_id, sync_id),
    )
    found = the_sync(sync, syncs)
    charted, some_failed = charts.stretch(days), has_failures(days)
    last = runs[:RUNS][-1] if len(runs) > RUNS else None
    return Page(
        found["model_name"] or f"Sync {sync.sync_id}",
        build,
        {
            "sync": found,
            "health": first(healths),
            "alerts": with_samples(unmuted(alerts)),
            "runs": runs[:RUNS],
            **activity_of(days),
            **counted("pattern", "patterns", patterns),
            "after": last and key_of(last["run_position"] or 0, last["sync_run_id"]),
        },
        {
            "chart": await charts.outcomes(charted),
            "charted_count": len(charted),
            "has_failures": some_failed,
            "failures_chart": await charts.failures(charted) if some_failed else None,
        },
    )


ROUTE = Route("/sync", "sync.html", PARAMETERS, make)
