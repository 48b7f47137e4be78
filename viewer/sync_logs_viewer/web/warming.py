"""Runs the queries of the first pages in advance, because a freshly started server is slow."""

import asyncio

from starlette.datastructures import QueryParams

from sync_logs_viewer.answers import Answers, Build

from .parameters import Parameters
from .routes import audience, builds, errors, failures, run, sync, syncs

# between two checks for a new build
SECONDS_BETWEEN_LOOKS = 5.0
# queries of the pages that need no parameter
FIRST_QUESTIONS = (
    *(*syncs.questions(), *errors.questions(None, None, None, None)),
    *(failures.question(None, None), *builds.questions()),
)


async def keep_warm(answers: Answers) -> None:
    """Run the queries of the first pages after each commit of a build, until it is cancelled."""
    warm: Build | None = None
    has_opened_pages = False
    while True:
        try:
            if (await answers.build()) != warm:
                warm, (found, *_) = await answers.all(*FIRST_QUESTIONS)
                if found and not has_opened_pages:
                    await _open_pages(found[0], answers)
                    has_opened_pages = True
        except Exception:
            # a page that is opened shows the error
            warm = None
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


async def _open_pages(found: dict[str, str], answers: Answers) -> None:
    """One page of each kind, so that Spark has planned such queries and a chart was drawn."""
    given = {name: found[name] for name in ("organization_id", "sync_id")}
    of_run = {**given, "sync_run_id": found["last_sync_run_id"]}
    for route, values in ((sync.ROUTE, given), (run.ROUTE, of_run), (audience.ROUTE, given)):
        await route.make(Parameters(QueryParams(values), route.parameters, answers.mask), answers)
