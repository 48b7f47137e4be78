"""What somebody opens first is asked for before: a server that has just started is slow."""

import asyncio

from starlette.datastructures import QueryParams

from viewer.answers import Answers, Build
from viewer.questions import catalog

from .parameters import Parameters
from .routes import audience, builds, errors, run, sync

SECONDS_BETWEEN_LOOKS = 5.0
# of the pages that need no parameter
FIRST_QUESTIONS = (
    *(catalog.syncs(), catalog.trends(), *errors.questions(None, None), *builds.questions()),
)


async def keep_warm(answers: Answers) -> None:
    """Ask for the first pages whenever a build has committed, until it is cancelled."""
    warm: Build | None = None
    has_opened_pages = False
    while True:
        try:
            if (await answers.build()) != warm:
                warm, (syncs, *_) = await answers.all(*FIRST_QUESTIONS)
                if syncs and not has_opened_pages:
                    await _open_pages(syncs[0], answers)
                    has_opened_pages = True
        except Exception:
            # whoever opens a page is told so
            warm = None
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


async def _open_pages(found: dict[str, str], answers: Answers) -> None:
    """One page of each kind, so that Spark has planned such questions, and a chart was drawn."""
    given = {name: found[name] for name in ("organization_id", "sync_id")}
    of_run = {**given, "sync_run_id": found["last_sync_run_id"]}
    for route, values in ((sync.ROUTE, given), (run.ROUTE, of_run), (audience.ROUTE, given)):
        await route.make(Parameters(QueryParams(values), route.parameters, answers.mask), answers)
