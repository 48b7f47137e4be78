"""The members of an audience, now or at a given time, and who entered and left."""

from sync_logs_viewer import charts
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.web.pages import Page, Route, activity_of, cut, the_sync
from sync_logs_viewer.web.parameters import AddressError, Parameters, key_of

ROWS = 100
MOVES = 50
PARAMETERS = ("organization_id", "sync_id", "at", "after")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of an audience."""
    sync, at = parameters.sync(), parameters.moment("at")
    after = parameters.key("after", str, str)
    if after and answers.mask.identifiers == "hidden":
        # comparing pages by identifier would reveal hidden identifiers
        raise AddressError("Identifiers are hidden here (SYNC_LOGS_MASK): there is one page.")
    masked = answers.mask.is_hashed
    # the current number of members is stored with the sync
    sizes = [] if at is None else [catalog.audience_size(sync, at)]
    build, (syncs, members, moves, days, *counted) = await answers.all(
        catalog.sync(sync),
        catalog.members(sync, at, after[1] if after else None, ROWS + 1, masked),
        catalog.moves(sync, MOVES + 1),
        catalog.activity(sync),
        *sizes,
    )
    found = the_sync(sync, syncs)
    charted = charts.stretch(days)
    # a count returns one row even for a sync without members
    member_count = counted[0][0]["member_count"] if counted else found["member_count"]
    has_more = len(members) > ROWS and answers.mask.identifiers != "hidden"
    members = members[:ROWS]
    return Page(
        f"Audience {found['model_name'] or sync.sync_id}",
        build,
        {
            "sync": found,
            "at": parameters.text("at"),
            "member_count": member_count,
            "members": members,
            **cut("events", moves, MOVES),
            **activity_of(days),
            "after": key_of(build.load_id, members[-1]["row_id"]) if has_more else None,
        },
        {
            "chart": await charts.audience(charted),
            "charted_count": len(charted),
            "is_newer": after is not None and after[0] != build.load_id,
        },
    )


ROUTE = Route("/audience", "audience.html", PARAMETERS, make)
