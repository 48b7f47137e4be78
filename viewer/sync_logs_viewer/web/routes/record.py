"""One identifier: everything that happened to it, in all syncs of its organisation."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.fields import Field, changed_names, since_delivery
from sync_logs_viewer.questions import Record, catalog
from sync_logs_viewer.web.pages import Page, Route, cut
from sync_logs_viewer.web.parameters import NotFoundError, Parameters

from .run import payload_limit

ROWS = 200
# syncs whose last payload is shown in full
PAYLOADS = 3
PARAMETERS = ("organization_id", "identifier")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of a record."""
    organization_id = parameters.required("organization_id")
    identifier = parameters.required_identifier("identifier")
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
    fields = since_delivery(rows)
    records = [
        {**row, "changed_fields": changed_names(one)} for row, one in zip(rows, fields, strict=True)
    ]
    return Page(
        f"Record {identifier[:100]}",
        build,
        {
            "organization_id": organization_id,
            "identifier": identifier,
            **cut("records", records, ROWS),
            **cut("field_changes", changes, ROWS),
            **cut("memberships", memberships, ROWS),
            **cut("failures", failures, ROWS),
            **cut("states", states, ROWS),
        },
        {
            "fields": fields,
            "latest": latest_places(rows[:ROWS], fields),
            "open": [one for one in states[:ROWS] if one["status"] == "failed"],
            "failing": {one["sync_id"]: one for one in failures if one["is_open"]},
        },
    )


def latest_places(rows: list[dict[str, Any]], fields: list[list[Field] | None]) -> list[int]:
    """Where the last payload of each sync is in the rows, of a few syncs."""
    places: dict[str, int] = {}
    for place, row in enumerate(rows):
        if fields[place]:
            places.setdefault(row["sync_id"], place)
    return list(places.values())[:PAYLOADS]


ROUTE = Route("/record", "record.html", PARAMETERS, make)
