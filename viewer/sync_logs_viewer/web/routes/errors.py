"""What is refused and why: failure patterns by sync, the reasons of one, and categories."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, cut, named, with_samples
from sync_logs_viewer.web.parameters import Parameters

PATTERNS, ROWS, CATEGORIES = 200, 200, 100
PARAMETERS = ("organization_id", "sync_id", "category", "failure_pattern")


def questions(
    organization_id: str | None,
    sync_id: str | None,
    category: str | None,
    failure_pattern: str | None,
) -> tuple[Query, ...]:
    """The queries of the page; reasons only of a chosen pattern, because there can be many."""
    about = (organization_id, category)
    of_pattern = catalog.errors(*about, ROWS, failure_pattern, sync_id)
    return (
        catalog.error_patterns(*about, failure_pattern, PATTERNS, sync_id),
        catalog.error_categories(*about, CATEGORIES + 1, sync_id),
        catalog.syncs(),
        *([] if failure_pattern is None else [of_pattern]),
    )


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of errors."""
    asked = [parameters.text(name) for name in PARAMETERS]
    build, (patterns, categories, syncs, *reasons) = await answers.all(*questions(*asked))
    return Page(
        "Errors",
        build,
        {
            **counted("pattern", "patterns", patterns),
            **counted("error", "errors", reasons[0] if reasons else []),
            **cut("categories", categories, CATEGORIES),
        },
        {"names": named(syncs), "has_reasons": bool(reasons)},
    )


def counted(noun: str, name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows with their examples, and how many there are; each row of the query has the number."""
    count = f"{noun}_count"
    kept = [{key: row[key] for key in row if key != count} for row in rows]
    return {name: with_samples(kept), count: rows[0][count] if rows else 0}


ROUTE = Route("/errors", "errors.html", PARAMETERS, make)
