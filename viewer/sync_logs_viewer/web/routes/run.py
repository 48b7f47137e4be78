"""A run, its errors and its records: filter them, find one, look at payloads."""

from collections import Counter
from typing import Any

from sync_logs_viewer.answers import Answers, Build
from sync_logs_viewer.masks import HIDDEN
from sync_logs_viewer.questions import Query, RecordFilters, Run, catalog
from sync_logs_viewer.questions.filters import STATUSES
from sync_logs_viewer.questions.pages import Position
from sync_logs_viewer.settings import download_rows
from sync_logs_viewer.warehouse import Rows
from sync_logs_viewer.web.pages import Page, Route, first, with_optional
from sync_logs_viewer.web.parameters import NotFoundError, Parameters, key_of

from .errors import counted

ROWS, ERRORS = 50, 10
# characters of a payload on a page; a download has all of them
CHARACTERS = 20_000
# columns by which masks find what a reason repeats
OF_SAMPLE = ("sample_row_id", "record_payload")
NEIGHBOURS = ("previous_sync_run_id", "next_sync_run_id")
FILTERS = ("status", "operation", "failure_reason", "identifier", "identifier_prefix")
PLACES = (*FILTERS, "after")
PARAMETERS = ("organization_id", "sync_id", "sync_run_id", *PLACES)


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of a run."""
    run, filters = parameters.run(), parameters.filters()
    key = parameters.key("after", str, None, str, int)
    after = None if key is None else (key[0], Position(*key[1:]))
    masked, is_whole = answers.mask.is_hashed, parameters.given.keys().isdisjoint(PLACES)
    asked = (
        catalog.run(run),
        catalog.record_counts(run, filters, masked),
        catalog.record_counts(run, RecordFilters(), masked),
        catalog.records(run, filters, after and after[1], ROWS + 1, masked, payload_limit(answers)),
    )
    build, (runs, counts, unfiltered, records), errors = await with_errors(
        run, asked, answers, is_whole
    )
    found = checked(run, first(runs), unfiltered)
    has_more = len(records) > ROWS
    records = records[:ROWS]
    operations = {one["operation"] for one in unfiltered} - {None}
    return Page(
        f"Run {run.sync_run_id}",
        build,
        {
            "run": found,
            "neighbours": {name: found.get(name) for name in NEIGHBOURS},
            **counted("error", "errors", errors, *OF_SAMPLE),
            "status_counts": by_status(counts),
            "records": records,
            "record_count": matching(counts, filters),
            "after": key_of(build.load_id, *_key(records[-1])) if has_more else None,
        },
        {
            "operations": sorted(operations - {""}),
            "more_operations": max((one["operation_count"] or 0 for one in unfiltered), default=0)
            - len(operations),
            "all_count": sum(one["row_count"] for one in unfiltered),
            "statuses": STATUSES,
            "is_newer": after is not None and after[0] != build.load_id,
            "download_limit": download_rows(),
        },
    )


async def with_errors(
    run: Run, asked: tuple[Query, ...], answers: Answers, is_whole: bool
) -> tuple[Build, list[Rows], Rows]:
    """The rows of the page, and the errors of the same build.

    Errors only above the first records of the whole run, if some have failed: other pages do not
    wait for them. There are none without the tables of errors.
    """
    build, rows = await answers.all(*asked)
    failed = by_status(rows[1])
    if not is_whole or not failed["Rejected"] + failed["Invalid"]:
        return build, rows, []
    # a mask needs whole payloads, or it could miss what a reason repeats
    characters = catalog.MOST_CHARACTERS if answers.mask.keys else 0
    question = catalog.errors_of_run(run, ERRORS, characters)
    build, rows, errors = await with_optional(answers, asked, question, "The errors of a run")
    if answers.mask.identifiers != "shown":
        errors = [one if one["is_known"] else {**one, "failure_reason": HIDDEN} for one in errors]
    return build, rows, errors


def checked(run: Run, found: Any, counts: list[dict[str, Any]]) -> dict[str, Any]:
    """The run, or only its ids if its sync does not keep runs. Raises NotFoundError."""
    if found is None and not counts:
        raise NotFoundError(
            f"There is no run {run.sync_run_id!r} of the sync {run.sync_id!r} in the organisation "
            f"{run.organization_id!r}."
        )
    return dict(found) if found else {"sync_run_id": run.sync_run_id, "sync_id": run.sync_id}


def payload_limit(answers: Answers) -> int | None:
    """How many characters of a payload to query: all of them if the mask hides keys in it."""
    return None if answers.mask.keys else CHARACTERS


def by_status(counts: list[dict[str, Any]]) -> dict[str, int]:
    """The counts by status, with every status."""
    summed = Counter[str]()
    for one in counts:
        summed[one["display_status"]] += one["row_count"]
    return {status: summed[status] for status in STATUSES}


def matching(counts: list[dict[str, Any]], filters: RecordFilters) -> int:
    """How many records the filters let through."""
    counted = by_status(counts)
    return sum(counted.values()) if filters.status is None else counted[filters.status]


def _key(record: dict[str, Any]) -> tuple[Any, ...]:
    return (record["batch_number"], record["file_name"], record["row_index"])


ROUTE = Route("/run", "run.html", PARAMETERS, make)
