"""Runs the queries of the first pages in advance, because a freshly started server is slow."""

import asyncio
from contextlib import suppress

from starlette.datastructures import QueryParams

from sync_logs_viewer.answers import Answers, Build
from sync_logs_viewer.questions import Query, Sync, catalog
from sync_logs_viewer.warehouse import WarehouseError

from .parameters import Parameters
from .routes import audience, builds, errors, failures, run, syncs
from .routes import sync as sync_page

# between two checks for a new build
SECONDS_BETWEEN_LOOKS = 5.0
# with more syncs, the rows of all of them would fill the memory: each page asks for its own
MOST_SYNCS = 200
# queries of the pages that need no parameter, and of the head of each
FIRST_QUESTIONS = (
    *(*syncs.questions(), *errors.questions()),
    *(failures.question(None, None), *builds.questions(), catalog.data_until()),
)


async def keep_warm(answers: Answers) -> None:
    """Run the queries of the first pages after each commit of a build, until it is cancelled."""
    warm: Build | None = None
    has_opened_pages = False
    while True:
        try:
            if (await answers.build()) != warm:
                warm, (found, *_) = await answers.all(*FIRST_QUESTIONS)
                if 0 < len(found) <= MOST_SYNCS:
                    first = Sync(found[0]["organization_id"], found[0]["sync_id"])
                    await answers.keep(*_of_all_syncs(_questions(first)))
                    with suppress(WarehouseError):
                        # not every warehouse has their tables
                        await answers.keep(*_of_all_syncs(sync_page.payload_questions(first)))
                if found and not has_opened_pages:
                    await _open_pages(found[0], answers)
                    has_opened_pages = True
        except Exception:
            # a page that is opened shows the error
            warm = None
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


def _questions(sync: Sync) -> tuple[Query, ...]:
    """The queries of the pages of a sync."""
    return (*sync_page.questions(sync), failures.question(sync.organization_id, sync.sync_id))


def _of_all_syncs(asked: tuple[Query, ...]) -> list[Query]:
    """The queries that have the first rows of every sync, as the pages of a sync ask for them."""
    return [one.part_of.whole for one in asked if one.part_of]


async def _open_pages(found: dict[str, str], answers: Answers) -> None:
    """One page of each kind, so that Spark has planned such queries and a chart was drawn."""
    given = {name: found[name] for name in ("organization_id", "sync_id")}
    of_run = {**given, "sync_run_id": found["last_sync_run_id"]}
    for route, values in ((sync_page.ROUTE, given), (run.ROUTE, of_run), (audience.ROUTE, given)):
        await route.make(Parameters(QueryParams(values), route.parameters, answers.mask), answers)
