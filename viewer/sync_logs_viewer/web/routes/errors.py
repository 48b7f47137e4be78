"""What is refused and why: categories of errors, and each reason by sync."""

import json

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, cut
from sync_logs_viewer.web.parameters import Parameters

ROWS, CATEGORIES = 200, 100
PARAMETERS = ("organization_id", "category")


def questions(organization_id: str | None, category: str | None) -> tuple[Query, Query]:
    """The queries of the page."""
    return (
        catalog.error_categories(organization_id, category, CATEGORIES + 1),
        catalog.errors(organization_id, category, ROWS),
    )


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of errors."""
    organization_id, category = parameters.text("organization_id"), parameters.text("category")
    build, (categories, errors) = await answers.all(*questions(organization_id, category))
    return Page(
        "Errors",
        build,
        {
            **cut("categories", categories, CATEGORIES),
            "errors": [
                {
                    **{name: one[name] for name in one if name != "reason_count"},
                    "sample_identifiers": json.loads(one["sample_identifiers"]),
                }
                for one in errors
            ],
            "error_count": errors[0]["reason_count"] if errors else 0,
        },
    )


ROUTE = Route("/errors", "errors.html", PARAMETERS, make)
