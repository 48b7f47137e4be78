"""What is refused and why: causes, failure patterns by sync, the reasons of one, and categories."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, cut, named, with_lists, with_samples
from sync_logs_viewer.web.parameters import Parameters

CLUSTERS, PATTERNS, ROWS, CATEGORIES = 10, 200, 200, 100
PARAMETERS = ("organization_id", "sync_id", "category", "failure_pattern")


def questions(
    organization_id: str | None,
    sync_id: str | None,
    category: str | None,
    failure_pattern: str | None,
) -> tuple[Query, ...]:
    """The queries of the page.

    The last asks for the reasons of a chosen pattern only, because there can be many; if nothing is
    chosen, for causes, which go over all syncs.
    """
    about = (organization_id, category)
    of_pattern = catalog.errors(*about, ROWS, failure_pattern, sync_id)
    is_all = (organization_id, sync_id, category, failure_pattern) == (None,) * len(PARAMETERS)
    return (
        catalog.error_patterns(*about, failure_pattern, PATTERNS, sync_id),
        catalog.error_categories(*about, CATEGORIES + 1, sync_id),
        catalog.syncs(),
        *([] if failure_pattern is None else [of_pattern]),
        *([catalog.error_clusters(CLUSTERS)] if is_all else []),
    )


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of errors."""
    asked = [parameters.text(name) for name in PARAMETERS]
    has_reasons = parameters.text("failure_pattern") is not None
    build, (patterns, categories, syncs, *last) = await answers.all(*questions(*asked))
    reasons, causes = (last, []) if has_reasons else ([], last)
    if answers.mask.identifiers != "shown":
        # no identifier is known that the mask could find in them
        causes = []
    return Page(
        "Errors",
        build,
        {
            "clusters": with_lists(causes[0] if causes else [], "failure_patterns", "vendors"),
            **counted("pattern", "patterns", patterns),
            **counted("error", "errors", reasons[0] if reasons else []),
            **cut("categories", categories, CATEGORIES),
        },
        {"names": named(syncs), "has_reasons": has_reasons},
    )


def counted(noun: str, name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows with their examples, and how many there are; each row of the query has the number."""
    count = f"{noun}_count"
    kept = [{key: row[key] for key in row if key != count} for row in rows]
    return {name: with_samples(kept), count: rows[0][count] if rows else 0}


ROUTE = Route("/errors", "errors.html", PARAMETERS, make)
