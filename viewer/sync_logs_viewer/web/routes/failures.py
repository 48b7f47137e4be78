"""What to fix: the records that fail now, those that have failed longest first."""

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, cut
from sync_logs_viewer.web.parameters import Parameters

ROWS = 200
PARAMETERS = ("organization_id", "sync_id")


def question(organization_id: str | None, sync_id: str | None) -> Query:
    """The query of the page."""
    return catalog.failures(organization_id, sync_id, ROWS + 1)


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of open failures."""
    organization_id, sync_id = parameters.text("organization_id"), parameters.text("sync_id")
    build, (failures,) = await answers.all(question(organization_id, sync_id))
    return Page("Failures", build, cut("failures", failures, ROWS))


ROUTE = Route("/failures", "failures.html", PARAMETERS, make)
