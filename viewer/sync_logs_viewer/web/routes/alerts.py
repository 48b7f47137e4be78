"""What needs attention: alerts of the syncs, those that are open or all."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, cut, named, with_samples
from sync_logs_viewer.web.parameters import Parameters

ROWS = 200
STATUSES = ("open", "all")
PARAMETERS = ("organization_id", "sync_id", "status")


def question(
    organization_id: str | None = None, sync_id: str | None = None, is_open_only: bool = True
) -> Query:
    """The query of the page."""
    return catalog.alerts(organization_id, sync_id, is_open_only, None, ROWS + 1)


def unmuted(alerts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that count for the health of their sync."""
    return [one for one in alerts if not one["is_muted"]]


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of alerts."""
    about = (parameters.text("organization_id"), parameters.text("sync_id"))
    status = parameters.one_of("status", STATUSES) or "open"
    build, (alerts, syncs) = await answers.all(
        question(*about, is_open_only=status == "open"), catalog.syncs()
    )
    return Page(
        "Alerts",
        build,
        cut("alerts", with_samples(alerts), ROWS),
        {"names": named(syncs), "status": status, "statuses": STATUSES},
    )


ROUTE = Route("/alerts", "alerts.html", PARAMETERS, make)
