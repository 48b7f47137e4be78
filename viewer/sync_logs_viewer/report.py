"""The report: one self-contained HTML file, to mail, print or keep."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from sync_logs_viewer import charts
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.warehouse import Rows
from sync_logs_viewer.web.clock import Clock
from sync_logs_viewer.web.pages import by_sync, has_failures, named
from sync_logs_viewer.web.routes.alerts import question, unmuted
from sync_logs_viewer.web.templating import templates

STYLE = Path(__file__).parent / "web" / "static" / "style.css"
DAYS = 90
# These limits keep the file below 2 MB with a thousand syncs; the pages show the rest.
CHARTS_OF_OUTCOMES, CHARTS_OF_AUDIENCES = 8, 8
ALERTS, SYNCS, PATTERNS, FIELDS = 50, 200, 50, 50


def report(ask: Callable[[Query], Rows]) -> str:
    """The report as HTML. Raises WarehouseError."""
    builds = ask(catalog.last_build())
    syncs = ask(catalog.syncs())
    days = by_sync(ask(catalog.trends(DAYS)))
    by_errors = sorted(syncs, key=lambda one: (-one["open_record_count"], -one["attempted_count"]))
    by_members = sorted(
        (one for one in syncs if one["member_count"]), key=lambda one: -one["member_count"]
    )
    fields = ask(catalog.changed_fields(FIELDS + 1))
    clock = Clock(datetime.now(timezone.utc), is_relative=False)
    style = STYLE.read_text("utf-8")
    return (
        templates()
        .get_template("report.html")
        .render(
            build=builds[0] if builds else None,
            clock=clock,
            made_at=clock.now,
            style=style,
            style_hash=_hash(style),
            syncs=by_errors[:SYNCS],
            sync_count=len(syncs),
            open_count=sum(one["open_record_count"] for one in syncs),
            outcomes=_drawn(by_errors[:CHARTS_OF_OUTCOMES], days, charts.outcomes_now),
            audiences=_drawn(by_members[:CHARTS_OF_AUDIENCES], days, charts.audience_now),
            audience_count=len(by_members),
            alerts=unmuted(ask(question()))[:ALERTS],
            open_alert_count=sum(one["open_alert_count"] for one in ask(catalog.health(None))),
            names=named(syncs),
            patterns=ask(catalog.error_patterns(None, None, None, PATTERNS)),
            fields=fields[:FIELDS],
            has_more_fields=len(fields) > FIELDS,
            day_count=DAYS,
        )
    )


def _drawn(
    syncs: Rows, days: Mapping[tuple[str, str], Rows], draw: Callable[[Any, str], str | None]
) -> list[dict[str, Any]]:
    found = []
    for number, sync in enumerate(syncs):
        rows = days[sync["organization_id"], sync["sync_id"]]
        charted = charts.stretch(rows)
        chart = draw(charted, f"chart{number}")
        found.append(
            {
                "sync": sync,
                "days": rows,
                "chart": chart,
                "charted_count": len(charted),
                "has_failures": has_failures(rows),
            }
        )
    return found


def _hash(style: str) -> str:
    """The hash by which the policy of the file allows this style sheet, and no other."""
    return base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode()
