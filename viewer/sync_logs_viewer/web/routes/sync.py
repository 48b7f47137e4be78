"""One sync: its health and runs, its outcomes and failures over time, and its errors."""

import logging
from typing import Any

from sync_logs_viewer import charts, examples
from sync_logs_viewer.answers import Answers, Build
from sync_logs_viewer.questions import Query, Sync, catalog
from sync_logs_viewer.settings import gaps_relation
from sync_logs_viewer.warehouse import Rows, WarehouseError
from sync_logs_viewer.web.pages import (
    Page,
    Route,
    activity_of,
    cut,
    first,
    has_failures,
    the_sync,
    with_lists,
    with_samples,
)
from sync_logs_viewer.web.parameters import Parameters, key_of

from .alerts import question as alerts_of
from .alerts import unmuted
from .errors import counted

LOG = logging.getLogger(__name__)
RUNS = catalog.RUNS - 1
# those in the open table; the others of the page are below it, folded
FIRST_RUNS = 10
PATTERNS = 10
GAPS = 50
CHANGES, FIELDS = 50, 200
PARAMETERS = ("organization_id", "sync_id", "after", "examples")


def questions(sync: Sync, after: tuple[int, str] | None = None) -> tuple[Query, ...]:
    """The queries of the page."""
    return (
        catalog.sync(sync),
        catalog.runs(sync, after, RUNS + 1),
        catalog.activity(sync),
        catalog.patterns_of_sync(sync, PATTERNS),
        catalog.health(sync),
        alerts_of(sync.organization_id, sync.sync_id),
    )


def payload_questions(sync: Sync) -> tuple[Query, ...]:
    """The queries about its payloads, which not every warehouse has the tables for."""
    return (catalog.payload_changes(sync, CHANGES + 1), catalog.payload_fields(sync, FIELDS + 1))


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of a sync."""
    sync = parameters.sync()
    after = parameters.key("after", int, str)
    has_examples = parameters.one_of("examples", ("true",)) is not None
    asked = questions(sync, (after[0], after[1]) if after else None)
    build, rows, payloads = await with_payloads(sync, asked, answers, has_examples)
    syncs, runs, days, patterns, healths, alerts = rows
    changes, fields = payloads or ([], [])
    found = the_sync(sync, syncs)
    gaps = await gaps_of(sync, answers)
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
            **cut("payload_changes", with_lists(changes, "json_types"), CHANGES),
            **cut("payload_fields", with_lists(fields, "json_types"), FIELDS),
            "gaps": gaps,
            "after": last and key_of(last["run_position"] or 0, last["sync_run_id"]),
        },
        {
            "first_runs": FIRST_RUNS,
            "chart": await charts.outcomes(charted),
            "charted_count": len(charted),
            "has_payload_tables": payloads is not None,
            "examples_run": examples.last_run(sync, fields),
            "has_failures": some_failed,
            "failures_chart": await charts.failures(charted) if some_failed else None,
        },
    )


async def with_payloads(
    sync: Sync, asked: tuple[Query, ...], answers: Answers, has_examples: bool = False
) -> tuple[Build, list[Rows], list[Rows] | None]:
    """The rows of the page, and those about payloads of the same build; None without the tables.

    Examples of fields only if asked for: Spark takes a second to plan their query. Raises
    WarehouseError.
    """
    await answers.keep(*asked)
    whole = (*asked, *payload_questions(sync))
    try:
        build, rows = await answers.all(*whole)
        run, found = examples.last_run(sync, rows[-1]), list[Any]()
        if has_examples and run:
            build, (*rows, found) = await answers.all(*whole, examples.question(run, answers.mask))
        if has_examples:
            rows[-1] = examples.with_examples(rows[-1], found)
    except WarehouseError as error:
        LOG.warning("payload_fields or payload_schema_changes cannot be read: %s", error)
        return *(await answers.all(*asked)), None
    return build, rows[: len(asked)], rows[len(asked) :]


async def gaps_of(sync: Sync, answers: Answers) -> list[dict[str, Any]]:
    """What the user's model says about the sync; nothing if none is named, or it is not built."""
    relation = gaps_relation()
    if relation is None:
        return []
    try:
        asked = catalog.gaps(relation, sync.organization_id, sync.sync_id, GAPS)
        return with_samples((await answers.all(asked))[1][0])
    except WarehouseError as error:
        LOG.warning("%s cannot be read: %s", relation, error)
        return []


ROUTE = Route("/sync", "sync.html", PARAMETERS, make)
