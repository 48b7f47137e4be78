"""Two runs of a sync, side by side: their counts, and the failure patterns compared."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Run, catalog
from sync_logs_viewer.web.counting import MEASURES, share, total
from sync_logs_viewer.web.pages import Page, Route, cut, first, with_samples
from sync_logs_viewer.web.parameters import NotFoundError, Parameters

ROWS = 200
PARAMETERS = ("organization_id", "sync_id", "sync_run_id", "before_sync_run_id")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of two runs."""
    run = parameters.run()
    before = Run(run.organization_id, run.sync_id, parameters.required("before_sync_run_id"))
    build, (runs, runs_before, patterns) = await answers.all(
        catalog.run(run),
        catalog.run(before),
        catalog.patterns_of_runs(run, before.sync_run_id, ROWS + 1),
    )
    later, earlier = known(run, first(runs)), known(before, first(runs_before))
    return Page(
        f"Run {run.sync_run_id} and run {before.sync_run_id}",
        build,
        {
            "run": later,
            "before": earlier,
            "counts": [difference(one, later, earlier) for one in MEASURES],
            **cut("patterns", with_samples([_with_change(one) for one in patterns]), ROWS),
        },
    )


def known(run: Run, found: Any) -> Any:
    """A run with its counts. Raises NotFoundError."""
    if found is None:
        raise NotFoundError(
            f"There are no counts of a run {run.sync_run_id!r} of the sync {run.sync_id!r} in the "
            f"organisation {run.organization_id!r}: it does not exist, or the sync keeps no runs."
        )
    return found


def difference(measure: str, run: Any, before: Any) -> dict[str, Any]:
    """A measure in both runs."""
    return {
        "measure": measure,
        "count": total(run, measure),
        "before_count": total(before, measure),
        "share": share(run, measure),
        "before_share": share(before, measure),
    }


def _with_change(row: dict[str, Any]) -> dict[str, Any]:
    has_now, had_before = row["record_count"] > 0, row["before_record_count"] > 0
    change = None if has_now and had_before else "new" if has_now else "gone"
    return {**row, "change": change}


ROUTE = Route("/compare", "compare.html", PARAMETERS, make)
