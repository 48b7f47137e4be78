"""Alerts, health and failure patterns on the pages, on the terminal and in the report.

There is no Spark: a fake warehouse returns some rows. The folder `pages` has the answers of Spark.
"""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

from sync_logs_viewer import charts
from sync_logs_viewer.masks import HIDDEN, hashed
from sync_logs_viewer.web.parameters import address
from sync_logs_viewer.web.routes import ROUTES
from viewer.fake_warehouse import (
    ALERT,
    AT,
    DAY,
    FAILURE,
    HEALTH,
    PATTERN,
    ROWS,
    STATISTICS,
    TellingWarehouse,
)
from viewer.reading import ABOUT, ANN, ASKED, HOSTILE, opened, typed

WARNING = {**ALERT, "alert_id": "w", "severity": "warning", "worst_severity": "warning"}
MUTED = {**ALERT, "alert_id": "m", "is_muted": True, "message": "nobody wants to know"}
ENDED = {**ALERT, "alert_id": "e", "is_open": False, "resolved_at": AT, "resolved_sync_run_id": "8"}
ELSEWHERE = {"organization_id": "p", "sync_id": "t"}


@pytest.mark.parametrize("pattern", [HOSTILE, None, "", "<id> is refused"])
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_hostile_texts_are_texts_on_each_page(route: Any, pattern: str | None) -> None:
    texts = {"failure_pattern": pattern, "sample_identifiers": json.dumps(["<img src=x>"])}
    message = f"2 records failed with a new error: {HOSTILE}"
    warehouse = TellingWarehouse(
        alerts=[{**ALERT, **texts, "message": message}] * 5,
        error_patterns=[{**PATTERN, **texts, "sample_failure_reason": HOSTILE}] * 5,
        patterns_of_sync=[{**PATTERN, **texts, "sample_failure_reason": HOSTILE}] * 5,
        failures=[{**FAILURE, "failure_pattern": pattern, "failure_reason": HOSTILE}],
        failures_of_record=[{**FAILURE, "failure_pattern": pattern, "failure_reason": HOSTILE}],
        patterns_of_runs=[{**ROWS["patterns_of_runs"][0], **texts}],
        patterns_of_periods=[{**ROWS["patterns_of_periods"][0], **texts, "category": HOSTILE}] * 5,
    )
    parameters = {name: ASKED[name] for name in route.parameters if name in ASKED}
    page = opened(route.path, warehouse, **parameters)
    assert page.status_code == 200, page.text
    assert len(page.text) < 50_000
    for mark in ("<script", "<img", "\u202e"):
        assert mark not in page.text
    if pattern == HOSTILE:
        # it is too long for a link
        assert "failure_pattern=" not in page.text
    elif route.path in ("/", "/alerts", "/errors", "/failures"):
        link = address("/errors", {"organization_id": "o", "failure_pattern": pattern or ""})
        assert str(escape(link)).removeprefix("/errors?organization_id=o") in page.text


def test_the_first_page_begins_with_the_worst_alerts_that_count() -> None:
    others = [{**WARNING, **ELSEWHERE, "alert_id": f"{number}"} for number in range(12)]
    health = [HEALTH, {**HEALTH, **ELSEWHERE, "health": "warning", "open_alert_count": 12}]
    syncs = [STATISTICS, {**STATISTICS, **ELSEWHERE, "model_name": "Others"}]
    rows = {"alerts": [ALERT, *others, MUTED], "health": health, "syncs": syncs}
    warehouse = TellingWarehouse(**rows)
    page = opened("/index.json", warehouse).json()
    assert [one["alert_id"] for one in page["alerts"]] == ["a", *map(str, range(9))]
    assert page["open_alert_count"] == 13
    assert [one["health"] for one in page["syncs"]] == ["critical", "warning"]
    text = opened("/", warehouse).text
    assert "The worst 10 of 13 open alerts" in text
    assert text.index("What needs attention") < text.index("<h2>Syncs")
    assert f'title="{ALERT["message"]}"' in text
    assert "nobody wants to know" not in text
    # a filter of syncs is one of alerts too
    chosen = opened("/index.json", warehouse, text="customers").json()
    assert ([one["alert_id"] for one in chosen["alerts"]], chosen["open_alert_count"]) == (["a"], 1)
    assert warehouse.last("alerts")["is_open_only"] is True
    # the worst of all organisations can be those of others
    opened("/", warehouse, organization_id="p")
    assert warehouse.last("alerts")["organization_id"] == "p"
    opened("/", warehouse)
    assert warehouse.last("alerts")["organization_id"] is None


def test_the_first_page_without_open_alerts() -> None:
    health = [{**HEALTH, "health": "ok", "open_alert_count": 0}]
    page = opened("/", TellingWarehouse(alerts=[MUTED], health=health)).text
    assert "No alert is open." in page
    assert (
        "No alert is open in these syncs."
        in opened("/", TellingWarehouse(alerts=[MUTED], health=health), text="cust").text
    )
    assert '<span class="status good">ok</span>' in page


def test_alerts_say_what_when_and_how_much() -> None:
    worse = {**ALERT, "rule": "rejection_rate", "value": 0.832, "threshold": 0.75}
    worse |= {"worsened_at": AT, "worsened_sync_run_id": "9", "sample_identifiers": None}
    page = opened("/alerts", TellingWarehouse(alerts=[worse, WARNING, MUTED])).text
    assert "rejection rate: 83.2 %, critical from 75 %" in page
    assert page.count("worsened ") == 1
    assert page.count("<small>muted</small>") == 1
    # the run of the figures is named if it is not the one in which the alert opened
    assert "Run <a" not in page
    later = opened("/alerts", TellingWarehouse(alerts=[{**worse, "value_sync_run_id": "11"}])).text
    assert str(escape(address("/run", {**ABOUT, "sync_run_id": "11"}))) in later
    assert '<span class="status warn">warning</span>' in page
    assert str(escape(address("/record", {"organization_id": "o", "identifier": "ann"}))) in page
    assert "Resolved" not in page
    # a column of examples only if an alert has some
    assert "<th>Examples</th>" in page
    assert "<th>Examples</th>" not in opened("/alerts", TellingWarehouse(alerts=[worse])).text


def test_the_terminal_says_why_there_is_no_alert(monkeypatch: pytest.MonkeyPatch) -> None:
    assert typed(monkeypatch, TellingWarehouse(alerts=[]), "alerts").startswith("No alert: ")
    assert typed(monkeypatch, TellingWarehouse(failures=[]), "failures") == "No rows.\n"


def test_alerts_that_ended_are_those_of_all() -> None:
    warehouse = TellingWarehouse(alerts=[ALERT, ENDED])
    page = opened("/alerts", warehouse, status="ALL", sync_id="s").text
    asked = warehouse.last("alerts")
    assert (asked["is_open_only"], asked["sync_id"], asked["since_micros"]) == (False, "s", None)
    # the colour of what is critical is kept for alerts that are open
    assert '<span class="status bad">critical</span>' in page
    assert '<span class="status open">critical</span>' in page
    assert opened("/alerts", warehouse).status_code == 200
    assert warehouse.last("alerts")["is_open_only"] is True
    refused = opened("/alerts", warehouse, status="resolved")
    assert refused.status_code == 400
    assert "No alert is open." in opened("/alerts", TellingWarehouse(alerts=[])).text
    none = TellingWarehouse(alerts=[])
    assert "There was never an alert." in opened("/alerts", none, status="all").text
    for chosen in ({"sync_id": "s"}, {"organization_id": "o"}, ABOUT):
        page = opened("/alerts", none, status="all", **chosen).text
        assert "There was never an alert in what is chosen above." in page


def test_reasons_are_those_of_a_chosen_pattern() -> None:
    """20,000 messages are one row until their pattern is chosen."""
    warehouse = TellingWarehouse()
    page = opened("/errors", warehouse)
    assert "20,000" in page.text
    assert "errors" not in [one.name for one in warehouse.asked]
    assert "Reasons of this pattern" not in page.text
    chosen = opened("/errors", warehouse, failure_pattern="<id> is refused", category="refused")
    assert "Reasons of this pattern" in chosen.text
    for name in ("errors", "error_patterns"):
        asked = warehouse.last(name)
        assert (asked["failure_pattern"], asked["category"]) == ("<id> is refused", "refused")
    # "" is the pattern of those without a message
    assert "no reason given" in opened("/errors", warehouse, failure_pattern="").text
    assert warehouse.last("errors")["failure_pattern"] == ""


def test_records_that_were_rejected_with_their_batch() -> None:
    said = "only with their batch"
    assert said not in opened("/errors", TellingWarehouse()).text
    warehouse = TellingWarehouse(error_patterns=[{**PATTERN, "bystander_count": 1_500}])
    assert f"1,500 {said}" in opened("/errors", warehouse).text


def test_causes_are_shown_over_all_syncs_only() -> None:
    page = opened("/errors", TellingWarehouse()).text
    assert "30 patterns in 11 groups" in page
    assert "no &lt;email&gt;" in page
    assert "These are the 1 with the most open records" in page
    found = opened("/errors.json", TellingWarehouse()).json()["clusters"]
    assert [(one["vendors"], one["failure_patterns"][1]) for one in found] == [
        (["census"], "no <email>")
    ]
    for chosen in ({"sync_id": "s"}, {"organization_id": "o"}, {"category": "refused"}):
        warehouse = TellingWarehouse()
        assert "Similar errors in all syncs" not in opened("/errors", warehouse, **chosen).text
        assert "error_clusters" not in {one.name for one in warehouse.asked}
    masked = TellingWarehouse()
    assert "Causes" not in opened("/errors", masked, "identifiers:hashed").text
    # without scikit-learn there are none
    assert "Causes" not in opened("/errors", TellingWarehouse(error_clusters=[])).text


def test_errors_of_one_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = TellingWarehouse()
    page = opened("/errors", warehouse, sync_id="s", failure_pattern="<id> is refused").text
    questions = ("error_patterns", "error_categories", "errors")
    asked = [warehouse.last(name) for name in questions]
    assert [one["sync_id"] for one in asked] == ["s"] * 3
    assert [one["organization_id"] for one in asked] == [None] * 3
    assert 'Sync: <strong>s</strong> <a href="/errors?failure_pattern=' in page
    # a category of this sync leads to the errors of this sync
    of_category = address("/errors", {**ABOUT, "category": "refused"})
    assert page.count(f'href="{escape(of_category)}"') == 2
    opened("/errors", warehouse)
    assert [warehouse.last(name)["sync_id"] for name in questions[:2]] == [None] * 2
    for command, question in (
        (("errors",), "error_patterns"),
        (("errors", "--failure-pattern", ""), "errors"),
    ):
        for given, ids in (
            (("--sync-id", "t"), (None, "t")),
            (("--sync-id", "t", "--organization-id", "p"), ("p", "t")),
            ((), (None, None)),
        ):
            typed(monkeypatch, warehouse, *command, *given)
            values = warehouse.last(question)
            assert (values["organization_id"], values["sync_id"]) == ids, (command, given)


def test_more_patterns_of_a_sync_are_in_its_errors() -> None:
    warehouse = TellingWarehouse(patterns_of_sync=[{**PATTERN, "pattern_count": 11}] * 10)
    page = opened("/sync", warehouse, **ABOUT).text
    link = escape(address("/errors", {**ABOUT}))
    assert f'first 10 of 11 patterns; <a href="{link}">Errors</a> has others' in page


# number of the day in March, failures open after its runs, failures that they repaired
FAILURES = ((1, 3, 0), (2, 1, 2), (3, 0, 0))


def days_with(*failures: tuple[int, int, int]) -> list[dict[str, Any]]:
    """Days of the sync, the first one first, as both questions about days give them."""
    whole = {**DAY, "all_day_count": len(failures), "all_run_count": len(failures) * 2}
    return [
        {**whole, "activity_date": date(2026, 3, number)}
        | {"open_failure_count": open_count, "repaired_failure_count": repaired_count}
        for number, open_count, repaired_count in failures
    ]


def test_a_sync_shows_its_failures_by_day() -> None:
    warehouse = TellingWarehouse(activity=days_with(*FAILURES))
    assert [
        (day["activity_date"], day["open_failure_count"], day["repaired_failure_count"])
        for day in opened("/sync.json", warehouse, **ABOUT).json()["activity"]
    ] == [("2026-03-01", 3, 0), ("2026-03-02", 1, 2), ("2026-03-03", 0, 0)]
    page = opened("/sync", warehouse, **ABOUT).text
    _, _, section = page.partition("<h2>Failures open and repaired by day</h2>")
    section, _, _ = section.partition("<h2>")
    for bar in (
        *("Mar 01, 2026; Failures: 3; what: Open", "Mar 02, 2026; Failures: 1; what: Open"),
        *("Mar 02, 2026; Failures: \u22122; what: Repaired", "Mar 03, 2026; Failures: 0"),
    ):
        assert bar in section
    # the same as a table, the last day first, without days on which nothing failed
    assert section.count('<tr><th scope="row">') == 2
    assert (
        '<tr><th scope="row">2026-03-02</th><td class="n">1</td><td class="n">2</td></tr>\n'
        '<tr><th scope="row">2026-03-01</th><td class="n">3</td><td class="n">0</td></tr>\n'
    ) in section
    # the page of its audience is about the same days
    audience = opened("/audience", warehouse, **ABOUT).text
    assert "2026-03-02" in audience
    assert "repaired" not in audience
    assert "Failures:" not in audience


def test_failures_are_shown_without_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "_bars", lambda *_: None)
    warehouse = TellingWarehouse(activity=days_with(*FAILURES))
    page = opened("/sync", warehouse, **ABOUT).text
    assert page.count("<details open>") == 2
    assert "<figure" not in page
    assert "bar of a month" not in page


@pytest.mark.parametrize(
    ("day", "is_shown"), [((1, 0, 0), False), ((1, 2, 0), True), ((1, 0, 2), True)]
)
def test_a_sync_without_failures_shows_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, day: tuple[int, int, int], is_shown: bool
) -> None:
    days = days_with(day)
    warehouse = TellingWarehouse(activity=days, trends=days)
    page = opened("/sync", warehouse, **ABOUT).text
    assert ("Failures open and repaired" in page) is is_shown
    assert page.count("<figure") == 1 + is_shown
    file = tmp_path / "report.html"
    typed(monkeypatch, warehouse, "report", "--out", str(file))
    assert ("Open failures" in file.read_text("utf-8")) is is_shown


def test_the_report_has_failures_by_day(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    warehouse = TellingWarehouse(trends=days_with(*FAILURES))
    typed(monkeypatch, warehouse, "report", "--out", str(file))
    text = file.read_text("utf-8")
    heads = '<th class="n">Open failures</th><th class="n">Repaired failures</th></tr>'
    assert text.count(heads) == 1
    # succeeded, rejected (no failed one that is not invalid), invalid and not attempted first
    for day, counts in (("01", (3, 0)), ("02", (1, 2)), ("03", (0, 0))):
        cells = "".join(f'<td class="n">{count}</td>' for count in (2, 0, 2, 2, *counts))
        assert f'<tr><th scope="row">2026-03-{day}</th>{cells}</tr>' in text


def test_a_sync_says_why_it_is_not_well() -> None:
    warehouse = TellingWarehouse(alerts=[ALERT, MUTED])
    page = opened("/sync", warehouse, organization_id="o", sync_id="s")
    assert page.text.count("2 records failed for the first time") == 1
    assert "nobody wants to know" not in page.text
    assert "5.0 h" in page.text
    for name in ("alerts", "health", "patterns_of_sync"):
        asked = warehouse.last(name)
        assert (asked["organization_id"], asked["sync_id"]) == ("o", "s"), name
    unknown = TellingWarehouse(alerts=[], health=[])
    page = opened("/sync", unknown, organization_id="o", sync_id="s")
    assert page.status_code == 200
    assert "No alert is open." in page.text


def test_a_record_says_since_when_and_how_often_it_fails() -> None:
    ended = {**FAILURE, "is_open": False, "ended_by": "succeeded", "failure_number": 2}
    warehouse = TellingWarehouse(failures_of_record=[FAILURE, ended])
    page = opened("/record", warehouse, **ANN).text
    assert "2 failed runs; failure no. 3" in page
    assert page.count("&lt;id&gt; is refused") == 2


@pytest.mark.parametrize("path", ["/", "/alerts", "/errors", "/failures"])
def test_masks_hide_samples_in_patterns_and_messages(path: str) -> None:
    rows = {
        "alerts": [{**ALERT, "failure_pattern": "ann is refused"}],
        "error_patterns": [{**PATTERN, "failure_pattern": "ann is refused"}],
        "failures": [{**FAILURE, "failure_pattern": "ann is refused"}],
    }
    for setting, shown in (("identifiers:hashed", hashed("ann")), ("identifiers:hidden", HIDDEN)):
        for address_ in (path, "/index.json" if path == "/" else f"{path}.json"):
            text = opened(address_, TellingWarehouse(**rows), setting).text
            assert "ann is refused" not in text
            assert f"{HIDDEN} is refused" in text
            assert shown in text or path == "/"
            # a masked pattern finds nothing
            assert "failure_pattern=" not in text


def test_the_terminal_has_patterns_and_the_reasons_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    long = [{**PATTERN, "failure_pattern": HOSTILE}]
    said = typed(monkeypatch, TellingWarehouse(error_patterns=long), "errors")
    assert "20000" in said
    assert "\u202e" not in said
    assert max(map(len, said.splitlines())) < 300
    warehouse = TellingWarehouse()
    said = typed(monkeypatch, warehouse, "errors", "--failure-pattern", "")
    assert "failure_reason " in said.splitlines()[0]
    assert warehouse.last("errors")["failure_pattern"] == ""
    said = typed(monkeypatch, TellingWarehouse(), "syncs", "--format", "jsonl")
    assert json.loads(said)["health"] == "critical"
    assert "critical" in typed(monkeypatch, TellingWarehouse(), "syncs")


def test_the_report_has_what_needs_attention(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    rows = {"alerts": [{**ALERT, "message": HOSTILE}, MUTED]}
    rows["error_patterns"] = [{**PATTERN, "failure_pattern": HOSTILE}] * 50
    typed(monkeypatch, TellingWarehouse(**rows), "report", "--out", str(file))
    text = file.read_text("utf-8")
    assert text.index("What needs attention") < text.index(
        "Syncs, those with the most failing records"
    )
    assert text.count("&lt;script&gt;") == 51
    assert "nobody wants to know" not in text
    assert len(text) < 100_000
    none: dict[str, list[dict[str, Any]]] = {"alerts": [], "health": []}
    typed(monkeypatch, TellingWarehouse(**none), "report", "--out", str(file))
    assert "No alert is open." in file.read_text("utf-8")
