"""The first page: an overview by health, what needs attention, then the syncs, the worst first."""

from collections import Counter
from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, by_sync, named, with_samples
from sync_logs_viewer.web.parameters import Parameters, key_of

from . import alerts as alerts_page

ROWS, ALERTS = 100, 10
STATUSES = ("succeeded", "failed", "unsettled")
# the worst first, with what each means
HEALTHS = {
    "critical": "a critical alert is open",
    "silent": "a run is late",
    "warning": "an alert is open",
    "ok": "no alert is open",
}
PARAMETERS = ("text", "health", "status", "organization_id", "vendor", "after")


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The worst alerts and the syncs; filtered by text, health, last run, organisation, vendor."""
    parameters.drop_empty()
    health, organization_id = (
        parameters.one_of("health", tuple(HEALTHS)),
        parameters.text("organization_id"),
    )
    after = parameters.key("after", str, str, str, str, str)
    build, (syncs, trends, healths, alerts) = await answers.all(*questions(organization_id))
    health_of = {_key(one): one for one in healths}
    for one in syncs:
        one["health"] = health_of[_key(one)]["health"] if _key(one) in health_of else None
    matching = sorted(_matching(syncs, parameters), key=_order)
    found = [one for one in matching if health is None or one["health"] == health]
    begun = [one for one in found if after is None or _order(one) > after]
    shown, days, keys = begun[:ROWS], by_sync(trends), {_key(one) for one in found}
    open_alerts = [one for one in alerts_page.unmuted(alerts) if _key(one) in keys]
    worst = {_key(one): one["message"] for one in reversed(open_alerts)}
    for one in shown:
        one["success_rate"] = _rate(one)
        one["trend"] = days[_key(one)]
    counted = Counter(one["health"] for one in matching)
    return Page(
        "Overview",
        build,
        {
            "health_counts": {name: counted[name] for name in HEALTHS},
            "alerts": with_samples(open_alerts[:ALERTS]),
            "open_alert_count": sum(
                one["open_alert_count"] for key, one in health_of.items() if key in keys
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
            "healths": HEALTHS,
            "health": health,
            "without_health_count": counted[None],
            "all_count": len(syncs),
            "open_count": sum(one["open_record_count"] for one in found),
        },
    )


def questions(organization_id: str | None = None) -> tuple[Query, ...]:
    """The queries of the page; alerts are those of an organisation, because they are cut."""
    alerts = alerts_page.question(organization_id)
    return catalog.syncs(), catalog.trends(), catalog.health(None), alerts


def _matching(syncs: list[dict[str, Any]], parameters: Parameters) -> list[dict[str, Any]]:
    """The syncs that all filters but the health let through."""
    text, status = parameters.text("text"), parameters.one_of("status", STATUSES)
    chosen = {name: parameters.text(name) for name in ("organization_id", "vendor")}
    return [
        one
        for one in syncs
        if (text is None or _has(one, text.casefold()))
        and (status is None or (one["last_run_status"] or "unsettled") == status)
        and all(value in (None, one[name]) for name, value in chosen.items())
    ]


def _key(row: dict[str, Any]) -> tuple[str, str]:
    return row["organization_id"], row["sync_id"]


def _has(sync: dict[str, Any], text: str) -> bool:
    names = (sync["model_name"], sync["sync_id"], sync["destination"])
    return any(text in str(name or "").casefold() for name in names)


def _order(sync: dict[str, Any]) -> tuple[str, ...]:
    """The place in the list, as texts: by health, then by name."""
    ranks = {name: str(rank) for rank, name in enumerate(HEALTHS)}
    name = sync["model_name"] or ""
    rank = ranks.get(sync["health"], str(len(HEALTHS)))
    return (rank, name.casefold(), name, sync["organization_id"], sync["sync_id"])


def _rate(sync: dict[str, Any]) -> float | None:
    attempted: int = sync["attempted_count"]
    return sync["succeeded_count"] / attempted if attempted else None


ROUTE = Route("/", "syncs.html", PARAMETERS, make)
