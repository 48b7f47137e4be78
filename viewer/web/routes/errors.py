"""What is refused and why: kinds of errors, and each reason by sync."""

import json

from viewer.answers import Answers
from viewer.questions import catalog
from viewer.web.pages import Page, Route
from viewer.web.parameters import Parameters

ROWS = 200
PARAMETERS = ("organization_id", "category")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of errors."""
    organization_id, category = parameters.text("organization_id"), parameters.text("category")
    build, (categories, errors) = await answers.all(
        catalog.error_categories(organization_id, category),
        catalog.errors(organization_id, category, ROWS + 1),
    )
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
