"""The first page: all syncs, how well they run, and whether one has stopped running."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.web.pages import Page, Route, by_sync
from sync_logs_viewer.web.parameters import Parameters, key_of

ROWS = 100
STATUSES = ("succeeded", "failed", "unsettled")
PARAMETERS = ("text", "status", "organization_id", "vendor", "after")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The syncs by name, filtered by text, status of the last run, organisation and vendor."""
    text, status = parameters.text("text"), parameters.one_of("status", STATUSES)
    organization_id, vendor = parameters.text("organization_id"), parameters.text("vendor")
    after = parameters.key("after", str, str, str, str)
    build, (syncs, trends) = await answers.all(catalog.syncs(), catalog.trends())
    found = sorted(
        (
            one
            for one in syncs
            if (text is None or _has(one, text.casefold()))
            and (status is None or (one["last_run_status"] or "unsettled") == status)
            and (organization_id is None or one["organization_id"] == organization_id)
            and (vendor is None or one["vendor"] == vendor)
        ),
        key=_order,
    )
    begun = [one for one in found if after is None or _order(one) > after]
    shown = begun[:ROWS]
    days = by_sync(trends)
    for one in shown:
        one["success_rate"] = _rate(one)
        one["trend"] = days[one["organization_id"], one["sync_id"]]
    return Page(
        "Syncs",
        build,
        {
            "syncs": shown,
            "sync_count": len(found),
            "after": key_of(*_order(shown[-1])) if len(begun) > ROWS else None,
        },
        {
            "organizations": sorted({one["organization_id"] for one in syncs}),
            "vendors": sorted({one["vendor"] for one in syncs if one["vendor"]}),
            "statuses": STATUSES,
            "all_count": len(syncs),
            "open_count": sum(one["open_record_count"] for one in found),
        },
    )


def _has(sync: dict[str, Any], text: str) -> bool:
    names = (sync["model_name"], sync["sync_id"], sync["destination"])
    return any(text in str(name or "").casefold() for name in names)


def _order(sync: dict[str, Any]) -> tuple[str, ...]:
    name = sync["model_name"] or ""
    return (name.casefold(), name, sync["organization_id"], sync["sync_id"])


def _rate(sync: dict[str, Any]) -> float | None:
    attempted: int = sync["attempted_count"]
    return sync["succeeded_count"] / attempted if attempted else None


ROUTE = Route("/", "syncs.html", PARAMETERS, make)
