"""What is refused and why: categories of errors, and each reason by sync."""

import json

from viewer.answers import Answers
from viewer.questions import Query, catalog
from viewer.web.pages import Page, Route
from viewer.web.parameters import Parameters

ROWS = 200
PARAMETERS = ("organization_id", "category")


def questions(organization_id: str | None, category: str | None) -> tuple[Query, Query]:
    """The queries of the page."""
    return (
        catalog.error_categories(organization_id, category),
        catalog.errors(organization_id, category, ROWS + 1),
    )


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of errors."""
    organization_id, category = parameters.text("organization_id"), parameters.text("category")
    build, (categories, errors) = await answers.all(*questions(organization_id, category))
    return Page(
        "Errors",
        build,
        {
            "categories": categories,
            "errors": [
                {**one, "sample_identifiers": json.loads(one["sample_identifiers"])}
                for one in errors[:ROWS]
            ],
            "has_more_errors": len(errors) > ROWS,
        },
    )


ROUTE = Route("/errors", "errors.html", PARAMETERS, make)
