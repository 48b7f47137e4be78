"""Search for an identifier: leads to its record, or lets the reader choose the organisation."""

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.web.pages import Page, Route, cut
from sync_logs_viewer.web.parameters import Parameters, address

ROWS = 100
PARAMETERS = ("identifier",)


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The organisations that know an identifier."""
    identifier = parameters.required_identifier("identifier")
    build, (found,) = await answers.all(
        catalog.organizations_of_record(identifier, answers.mask.is_hashed, ROWS + 1)
    )
    given = {"organization_id": found[0]["organization_id"] if found else None}
    return Page(
        f"Find {identifier[:100]}",
        build,
        {"identifier": identifier, **cut("organizations", found, ROWS)},
        {"is_clear": answers.mask.identifiers == "shown"},
        leads_to=address("/record", {**given, "identifier": identifier})
        if len(found) == 1
        else None,
    )


ROUTE = Route("/find", "find.html", PARAMETERS, make)
