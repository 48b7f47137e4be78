"""One identifier: everything that happened to it, in all syncs of its organisation."""

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Record, catalog
from sync_logs_viewer.web.pages import Page, Route, cut
from sync_logs_viewer.web.parameters import AddressError, NotFoundError, Parameters

from .run import payload_limit

ROWS = 200
PARAMETERS = ("organization_id", "identifier")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of a record."""
    organization_id = parameters.required("organization_id")
    parameters.required("identifier")
    identifier = parameters.identifier("identifier")
    if identifier is None:
        raise AddressError("This page needs the parameter 'identifier'.")
    about = Record(organization_id, identifier, answers.mask.is_hashed)
    build, (rows, changes, memberships, failures, states) = await answers.all(
        catalog.history_of_record(about, ROWS + 1, payload_limit(answers)),
        catalog.changes_of_record(about, ROWS + 1),
        catalog.memberships_of_record(about, ROWS + 1),
        catalog.failures_of_record(about, ROWS + 1),
        catalog.states_of_record(about, ROWS + 1),
    )
    if not rows and not memberships and not states:
        raise NotFoundError(
            f"No record of the organisation {organization_id!r} has the identifier {identifier!r}."
        )
    return Page(
        f"Record {identifier[:100]}",
        build,
        {
            "organization_id": organization_id,
            "identifier": identifier,
            **cut("records", rows, ROWS),
            **cut("field_changes", changes, ROWS),
            **cut("memberships", memberships, ROWS),
            **cut("failures", failures, ROWS),
            **cut("states", states, ROWS),
        },
        {
            "open": [one for one in states[:ROWS] if one["status"] == "failed"],
            "failing": {one["sync_id"]: one for one in failures if one["is_open"]},
        },
    )


ROUTE = Route("/record", "record.html", PARAMETERS, make)
