"""The first page: what needs attention, then all syncs and how well they run."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, by_sync, named, with_samples
from sync_logs_viewer.web.parameters import Parameters, key_of

from . import alerts as alerts_page

ROWS, ALERTS = 100, 10
STATUSES = ("succeeded", "failed", "unsettled")
PARAMETERS = ("text", "status", "organization_id", "vendor", "after")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The worst alerts and the syncs by name; filtered by text, last run, organisation, vendor."""
    text, status = parameters.text("text"), parameters.one_of("status", STATUSES)
    organization_id, vendor = parameters.text("organization_id"), parameters.text("vendor")
    after = parameters.key("after", str, str, str, str)
    build, (syncs, trends, healths, alerts) = await answers.all(*questions(organization_id))
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
    days, health = by_sync(trends), {_key(one): one for one in healths}
    matching = {_key(one) for one in found}
    open_alerts = [one for one in alerts_page.unmuted(alerts) if _key(one) in matching]
    worst = {_key(one): one["message"] for one in reversed(open_alerts)}
    for one in shown:
        one["success_rate"] = _rate(one)
        one["trend"] = days[_key(one)]
        one["health"] = health[_key(one)]["health"] if _key(one) in health else None
    return Page(
        "Syncs",
        build,
        {
            "alerts": with_samples(open_alerts[:ALERTS]),
            "open_alert_count": sum(
                one["open_alert_count"] for key, one in health.items() if key in matching
            ),
            "syncs": shown,
            "sync_count": len(found),
            "after": key_of(*_order(shown[-1])) if len(begun) > ROWS else None,
        },
        {
            "names": named(syncs),
            "worst": worst,
            "organizations": sorted({one["organization_id"] for one in syncs}),
            "vendors": sorted({one["vendor"] for one in syncs if one["vendor"]}),
            "statuses": STATUSES,
            "all_count": len(syncs),
            "open_count": sum(one["open_record_count"] for one in found),
        },
    )


def questions(organization_id: str | None = None) -> tuple[Query, ...]:
    """The queries of the page; alerts are those of an organisation, because they are cut."""
    alerts = alerts_page.question(organization_id)
    return catalog.syncs(), catalog.trends(), catalog.health(None), alerts


def _key(row: dict[str, Any]) -> tuple[str, str]:
    return row["organization_id"], row["sync_id"]


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
