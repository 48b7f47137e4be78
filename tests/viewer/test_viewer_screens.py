"""What the pages show, without Spark: counts, search, tiles, bars, times, payloads, comparisons."""

import html
import json
import re
from datetime import datetime, timedelta, timezone
from typing import Any

import pyarrow as pa
import pytest
from markupsafe import escape
from starlette.testclient import TestClient

from sync_logs_viewer import fields
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.masks import HIDDEN, hashed, mask_of
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web import bars
from sync_logs_viewer.web.app import application
from sync_logs_viewer.web.clock import Clock
from sync_logs_viewer.web.parameters import address, key_of
from sync_logs_viewer.web.routes import syncs as syncs_page
from viewer.fake_warehouse import (
    ERROR_OF_RUN,
    HEALTH,
    PATTERN,
    RECORD,
    RUN,
    STATISTICS,
    TellingWarehouse,
    Without,
)
from viewer.test_viewer_alerts import ABOUT, opened

OF_RUN = {**ABOUT, "sync_run_id": "7"}


def cells(text: str) -> list[list[str]]:
    """The texts of each table row."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    tags = re.compile(r"<[^>]*>")
    return [
        [" ".join(tags.sub("", one).split()) for one in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def test_a_run_has_its_counts_in_words() -> None:
    run: dict[str, Any] = {**RUN, "num_succeeded_add": 0, "num_failed_add": 1}
    page = opened("/run", TellingWarehouse(runs=[run]), **OF_RUN).text
    found = cells(page)
    assert ["Records", "All", "Of attempted", "To add", "To change", "To remove"] in found
    (succeeded,) = [row for row in found if row[0].startswith("Succeeded")]
    assert succeeded[1:] == ["2", "66.7 %", "0", "1", "1"]
    (planned,) = [row for row in found if row[0].startswith("Planned")]
    assert planned[1:] == ["3", "\u2013", "1", "1", "1"]
    # its sync shows how many succeeded and failed, and which share that is
    (of_sync,) = [
        row
        for row in cells(opened("/sync", TellingWarehouse(runs=[run]), **ABOUT).text)
        if row[0] == "7"
    ]
    assert of_sync[-4:] == ["3", "3", "2 66.7 %", "3 100 %"]


def test_the_box_of_each_page_finds_an_identifier() -> None:
    assert 'action="/find"' in opened("/nowhere", TellingWarehouse()).text
    assert 'action="/find"' in opened("/builds", TellingWarehouse()).text
    page = opened("/find", TellingWarehouse(), identifier="ann")
    for organization in ("o", "p"):
        link = address("/record", {"organization_id": organization, "identifier": "ann"})
        assert f'href="{escape(link)}"' in page.text
    one = TellingWarehouse(organizations_of_record=[{"organization_id": "p", "sync_count": 1}])
    led = opened("/find", one, identifier="o'b\\ & co")
    assert led.status_code == 303
    known: dict[str, object | None] = {"organization_id": "p", "identifier": "o'b\\ & co"}
    assert led.headers["location"] == address("/record", known)
    assert one.last("organizations_of_record")["identifier"] == "o'b\\ & co"
    assert opened("/find.json", one, identifier="x").json()["organizations"] == [
        {"organization_id": "p", "sync_count": 1}
    ]
    none = opened("/find", TellingWarehouse(organizations_of_record=[]), identifier="ann")
    assert none.status_code == 200
    assert "No record has this identifier" in none.text
    assert '<a href="/?text=ann">Search the syncs</a>' in none.text
    assert opened("/find", one).status_code == 400


def test_the_box_keeps_masks() -> None:
    warehouse = TellingWarehouse(organizations_of_record=[])
    led = opened("/find", warehouse, "identifiers:hashed", identifier="ann")
    assert led.status_code == 303
    assert led.headers["location"] == address("/find", {"identifier": hashed("ann")})
    none = opened("/find", warehouse, "identifiers:hashed", identifier=hashed("ann"))
    assert warehouse.last("organizations_of_record") == {
        **{"identifier": hashed("ann"), "is_hashed": True, "row_limit": 101}
    }
    # no sync has the name of a hash
    assert "Search the syncs" not in none.text
    refused = opened("/find", warehouse, "identifiers:hidden", identifier="ann")
    assert refused.status_code == 400
    assert 'action="/find"' not in opened("/builds", TellingWarehouse(), "identifiers:hidden").text


WELL = {"organization_id": "p", "sync_id": "t"}
UNKNOWN = {"organization_id": "p", "sync_id": "u"}
THREE = {
    "syncs": [
        {**STATISTICS, **WELL, "model_name": "A"},
        {**STATISTICS, **UNKNOWN, "model_name": "B"},
        {**STATISTICS, "model_name": "Z", "open_record_count": 5},
    ],
    "health": [HEALTH, {**HEALTH, **WELL, "health": "ok", "open_alert_count": 0}],
}


def test_the_first_page_counts_syncs_by_health() -> None:
    page = opened("/index.json", TellingWarehouse(**THREE)).json()
    assert page["health_counts"] == {"critical": 1, "silent": 0, "warning": 0, "ok": 1}
    # the worst first; one that keeps no runs has no health
    assert [one["model_name"] for one in page["syncs"]] == ["Z", "A", "B"]
    text = opened("/", TellingWarehouse(**THREE)).text
    assert 'href="/?health=critical"><strong>1</strong>' in text
    assert 'href="/failures"><strong>9</strong>' in text
    assert "1 of them keep no runs" in text
    assert "All" not in re.findall(r"<option[^>]*>(\w+)", text)


@pytest.mark.parametrize(
    ("status", "failed", "words", "colour"),
    [
        ("succeeded", 1_200, "succeeded, 1,200 failed", "warn"),
        *(("succeeded", 0, "succeeded", "good"), ("failed", 7, "failed", "bad")),
        # a run in progress, and one that its sync does not keep
        *((None, 7, "in progress", "open"), ("succeeded", None, "succeeded", "good")),
    ],
)
def test_the_last_run_of_a_sync_looks_as_on_its_own_page(
    status: str | None, failed: int | None, words: str, colour: str
) -> None:
    told = f'<span class="status {colour}">{words}</span>'
    sync = {**STATISTICS, "last_run_status": status, "last_run_failed_count": failed}
    assert f"<td>{told} <small>" in opened("/", TellingWarehouse(syncs=[sync])).text
    (shown,) = opened("/index.json", TellingWarehouse(syncs=[sync])).json()["syncs"]
    assert shown["last_run_failed_count"] == failed
    if failed is not None:
        counts = {name: 0 for name in RUN if name.startswith("num_failed_")}
        run = {**RUN, **counts, "num_failed_change": failed, "status": status}
        page = opened("/sync", TellingWarehouse(runs=[run], sync=[sync]), **ABOUT).text
        assert "<dt>Last run</dt><dd>" in page
        assert f"</a> {told}</dd>" in page


def test_a_tile_filters_and_takes_the_filter_away() -> None:
    chosen = opened("/", TellingWarehouse(**THREE), health="OK", text="a").text
    assert '?text=a" aria-current="true"><strong>1</strong>' in chosen
    assert "1 of 3 syncs" in chosen
    assert '<input type="hidden" name="health" value="ok">' in chosen
    # the numbers of the tiles do not depend on the chosen one
    page = opened("/index.json", TellingWarehouse(**THREE), health="ok").json()
    assert page["health_counts"]["critical"] == 1
    assert [one["model_name"] for one in page["syncs"]] == ["A"]
    assert page["open_alert_count"] == 0
    assert opened("/", TellingWarehouse(), health="fine").status_code == 400


def test_a_form_sends_its_empty_fields_too() -> None:
    given = {"text": "", "status": "", "organization_id": "p", "vendor": ""}
    warehouse = TellingWarehouse(**THREE)
    text = opened("/", warehouse, **given).text
    assert "2 of 3 syncs" in text
    assert '<option value="p" selected>p</option>' in text
    assert warehouse.last("alerts")["organization_id"] == "p"
    # links of the page leave them out
    assert "text=&amp;" not in text


def test_pages_of_syncs_go_on_where_the_last_one_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syncs_page, "ROWS", 1)
    names: list[str] = []
    after: dict[str, str] = {}
    for _ in range(3):
        page = opened("/index.json", TellingWarehouse(**THREE), **after).json()
        names += [one["model_name"] for one in page["syncs"]]
        after = {"after": page["after"]}
    assert (names, page["after"]) == (["Z", "A", "B"], None)


def test_bars_show_small_counts_beside_large_ones() -> None:
    assert bars.bar({"good": 0}, 5, 20) == []
    (good, bad) = bars.bar({"good": 75, "bad": 25, "warn": 0}, 100, 20)
    assert (good.colour, good.top, good.height) == ("good", 5.0, 15.0)
    assert (bad.colour, bad.top, bad.height) == ("bad", 0.0, 5.0)
    (small,) = bars.bar({"good": 1}, 100, 20)
    assert small.height == bars.LEAST * 2
    # one failure among thousands is seen
    assert bars.bar({"good": 9_999, "bad": 1}, 10_000, 20)[1].height == bars.LEAST
    days = [{"succeeded_count": 3, "failed_count": 1}, {"succeeded_count": 0, "failed_count": 0}]
    assert [len(one) for one in bars.trend(days, 20)] == [2, 0]
    assert bars.trend([], 20) == []


def test_each_run_of_a_sync_is_a_bar_that_opens_it() -> None:
    runs = [{**RUN, "sync_run_id": "9", "status": None}, {**RUN, "sync_run_id": "8"}]
    runs += [{**RUN, "sync_run_id": "7", "status": "failed", "num_planned_add": 5}]
    page = opened("/sync", TellingWarehouse(runs=runs), **ABOUT).text
    strip, _, _ = page[page.index('<ol class="strip"') :].partition("</ol>")
    links = re.findall(r'<a class="(\w+)" href="([^"]*)" title="([^"]*)"', strip)
    assert [colour for colour, _, _ in links] == ["open", "warn", "bad"]
    assert [link for _, link, _ in links] == [
        escape(address("/run", {**ABOUT, "sync_run_id": number})) for number in ("9", "8", "7")
    ]
    assert links[0][2].startswith("Run 9, 2026-03-01: in progress. Of 3 records 3 succeeded")
    assert links[2][2].endswith("3 invalid, 4 not attempted.")
    assert strip.count('<span class="hidden">Run ') == 3
    # the same as a table is right below, above what is by day
    assert '<h2 id="runs">Last runs</h2>' in page
    places = ('<h2 id="runs">', '<ol class="strip"', 'aria-label="Runs"', "Outcomes by day")
    assert sorted(places, key=page.index) == [*places]
    none = opened("/sync", TellingWarehouse(runs=[]), **ABOUT)
    assert none.status_code == 200
    assert "strip" not in none.text


def test_the_last_ten_runs_of_a_sync_are_open_and_the_others_folded() -> None:
    def tables(count: int) -> tuple[list[list[str]], list[str]]:
        runs = [{**RUN, "sync_run_id": f"run {number}"} for number in range(count)]
        page = opened("/sync", TellingWarehouse(runs=runs), **ABOUT).text
        section = page[page.index('aria-label="Runs"') : page.index("<h2>Outcomes")]
        parts = [cells(part) for part in section.split("<details>")]
        ids = [[row[0] for row in part if row[0] != "Run"] for part in parts]
        return ids, re.findall("<summary>(.*?)</summary>", section)

    ids = [f"run {number}" for number in range(60)]
    assert tables(10) == ([ids[:10]], [])
    assert tables(11) == ([ids[:10], ids[10:11]], ["1 run before these"])
    # a page has fifty
    assert tables(51) == ([ids[:10], ids[10:50]], ["40 runs before these"])


def test_a_bar_of_a_run_has_all_planned_records() -> None:
    run = dict.fromkeys([name for name in RUN if name.startswith("num_")], 0)
    run |= {"num_planned_add": 10, "num_attempted_add": 8, "num_succeeded_add": 5}
    run |= {"num_failed_add": 3, "num_invalid_add": 1}
    assert bars.outcomes(run) == {"good": 5, "bad": 2, "warn": 1, "open": 2}
    (whole, nothing) = bars.strip([run, dict.fromkeys(run, 0)], 40)
    assert [part.height for part in whole] == [20, 8, 4, 8]
    assert nothing == []


NOW = datetime(2026, 3, 31, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((0, "just now"), (59, "just now"), (60, "1 minute ago"), (3599, "59 minutes ago")),
        *((3600, "1 hour ago"), (86_399, "23 hours ago"), (86_400, "1 day ago")),
        *((30 * 86_400 - 1, "29 days ago"), (30 * 86_400, "2026-03-01")),
        # a clock that is a little late, and a time that a log has invented
        *((-60, "just now"), (-61, "2026-03-31 12:01:01")),
    ],
)
def test_times_are_how_long_ago_they_were(seconds: int, words: str) -> None:
    assert Clock(NOW).shown(NOW - timedelta(seconds=seconds)) == words
    assert Clock(NOW, is_relative=False).shown(NOW) == "2026-03-31 12:00:00"


def test_exact_times_are_those_of_the_readers_zone() -> None:
    # Spark gives times without a zone, which are UTC
    naive = NOW.replace(tzinfo=None)
    assert Clock(NOW).in_full(naive) == "2026-03-31 12:00:00 UTC"
    assert Clock(NOW, "Europe/Berlin").in_full(naive) == (
        "2026-03-31 14:00:00 +02:00 (Europe/Berlin)"
    )
    assert Clock(NOW, "America/St_Johns").in_full(naive) == (
        "2026-03-31 09:30:00 -02:30 (America/St_Johns)"
    )
    late = datetime(2026, 1, 31, 20)
    assert Clock(NOW, "Asia/Tokyo").day(late) == "2026-02-01"
    assert Clock(NOW, "Asia/Tokyo").shown(late) == "2026-02-01"
    for edge in (datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)):
        for zone in ("Asia/Tokyo", "America/Los_Angeles"):
            assert Clock(NOW, zone).exactly(edge)[:4] in ("0001", "9999")
    assert Clock(NOW, "America/St_Johns").choices[0] == "America/St_Johns"
    assert Clock(NOW).choices.count("UTC") == 1


def test_a_reader_chooses_a_time_zone() -> None:
    answers = Answers(TellingWarehouse(), mask_of(""))
    with TestClient(application(answers), "http://127.0.0.1", follow_redirects=False) as client:
        page = client.get("/run", params=OF_RUN).text
        assert "times in UTC" in page
        assert '2026-03-01 06:00:00 UTC">2026-03-01 06:00:00</time>' in page
        # the form keeps the parameters of the page
        for name, value in OF_RUN.items():
            assert f'<input type="hidden" name="{name}" value="{value}">' in page
        led = client.get("/run", params={**OF_RUN, "time_zone": "Asia/Kolkata"})
        assert led.status_code == 303
        assert led.headers["location"] == address("/run", {**OF_RUN})
        page = client.get(led.headers["location"]).text
        assert "times in Asia/Kolkata" in page
        assert "2026-03-01 11:30:00 +05:30 (Asia/Kolkata)" in page
        assert "Days in charts and tables are days of UTC." in page
        assert "<option selected>Asia/Kolkata</option>" in page
        # data has no time zone but UTC
        assert client.get("/run.json", params=OF_RUN).json()["as_of"] == "2026-03-01T06:00:00Z"
        assert client.get("/index.json", params={"time_zone": "UTC"}).status_code == 400
        for wrong in ("Mars", "", "../../etc/passwd", "europe"):
            refused = client.get("/", params={"time_zone": wrong})
            assert refused.status_code == 400
            assert "expected one time zone such as Europe/Berlin" in refused.text
        assert client.get("/?time_zone=UTC&time_zone=Asia/Tokyo").status_code == 400
        assert client.get("/", params={"time_zone": "UTC"}).headers["location"] == "/"
        client.cookies.set("sync_logs_time_zone", "nowhere")
        assert "times in UTC" in client.get("/").text


def test_each_time_of_a_page_has_the_exact_one() -> None:
    for path in ("/", "/alerts", "/errors", "/failures", "/builds"):
        times = re.findall(r"<time [^>]*>", opened(path, TellingWarehouse()).text)
        assert times
        # the first one is the end of the data
        assert 'title="2026-03-01 05:30:00 UTC"' in times.pop(0)
        assert {'title="2026-03-01 06:00:00 UTC"' in one for one in times} == {True}, path


def test_each_page_says_until_when_it_has_data_and_when_that_was_built() -> None:
    def head(text: str) -> str:
        (found,) = re.findall(r'<p class="asof">(.*?)</p>', text)
        return re.sub("<[^>]*>", "", found)

    said = "Data until 2026-03-01 · built 2026-03-01 · times in UTC"
    for path, given in (("/", {}), ("/run", OF_RUN), ("/sync", ABOUT), ("/builds", {})):
        assert head(opened(path, TellingWarehouse(), **given).text) == said, path
    assert "log_until" not in opened("/run.json", TellingWarehouse(), **OF_RUN).json()
    # no run has a time; no table has the fact; nothing was built
    only_built = said.partition(" · ")[2]
    unknown = TellingWarehouse(data_until=[{"data_until_at": None}])
    assert head(opened("/run", unknown, **OF_RUN).text) == only_built
    assert head(opened("/run", Without("data_until"), **OF_RUN).text) == only_built
    never = TellingWarehouse(last_build=[])
    assert head(opened("/", never).text) == "Nothing has been built yet · times in UTC"
    assert "data_until" not in {one.name for one in never.asked}


def test_the_head_of_a_page_is_of_its_build() -> None:
    loads = iter(["first"] * 2)

    class Committing(TellingWarehouse):
        def ask(self, query: Query) -> pa.Table:
            found = super().ask(query)
            if query.name != "last_build":
                return found
            load = {"load_id": next(loads, "second"), "finished_at": None, "as_of": None}
            return pa.Table.from_pylist([load])

    page = opened("/failures", Committing()).text
    assert 'title="first"' in page
    assert "Data until" not in page


def sent(payload: str | None, **others: Any) -> dict[str, Any]:
    """A row of a record's log."""
    length = None if payload is None else len(payload)
    row = {**RECORD, "sync_id": "s", "sync_run_id": "7", "record_payload": payload}
    return row | {"payload_length": length, "display_status": "Success"} | others


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        ('{"a": 1.10, "b": 12345678901234567890}', [("a", "1.10"), ("b", "12345678901234567890")]),
        # a text is in quotes if it looks like something else
        ('{"a": "12", "b": "null", "c": null}', [("a", '"12"'), ("b", '"null"'), ("c", "null")]),
        ('{"a": "", "b": " x", "c": "it is"}', [("a", '""'), ("b", '" x"'), ("c", "it is")]),
        ('{"a": {"b": [1]}}', [("a", '{\n  "b": [\n    1\n  ]\n}')]),
        ('{"a": 1, "a": 2}', [("a", "1"), ("a", "2")]),
        ("{}", []),
        *(("[1]", None), ("text", None), ("[" * 900, None), ('{"a": ' * 99 + "1" + "}" * 99, None)),
        (None, None),
    ],
)
def test_a_payload_is_a_list_of_fields(payload: str | None, shown: list[Any] | None) -> None:
    found = fields.fields_of(sent(payload))
    assert shown == (None if found is None else [(one.name, one.value) for one in found])


def test_a_payload_that_was_cut_is_not_taken_apart() -> None:
    assert fields.fields_of(sent('{"a": 1}', payload_length=9)) is None


def test_fields_that_changed_since_the_last_delivery_are_marked() -> None:
    rows = [
        sent('{"a": 3, "c": 1}', display_status="Rejected"),
        sent('{"a": 9, "b": 1}', display_status="Rejected"),
        sent('{"a": 4}', sync_id="t"),
        sent('{"a": 2, "b": 1}'),
        sent("gone", operation="Deleted"),
        sent('{"a": 1}'),
    ]
    found = fields.since_delivery(rows)
    marked = [
        [(one.name, one.change, one.previous) for one in row or () if one.change] for row in found
    ]
    assert marked == [
        [("a", "changed", "2"), ("c", "new", None), ("b", "gone", "1")],
        [("a", "changed", "2")],
        # another sync; nothing is compared with what was before a removal
        *([], [], [], []),
    ]
    page = opened(
        "/record", TellingWarehouse(history_of_record=rows), organization_id="o", identifier="ann"
    ).text
    assert '<th scope="row">a <span class="tag">changed</span></th>' in page
    assert "<td>3 <small>delivered before: 2</small></td>" in page
    assert '<span class="none">not sent</span>' in page
    # the last payload of each sync is open
    assert page.count('<table class="fields">') == 5 + 2
    assert "Last payload of s" in page
    records = opened(
        "/record.json",
        TellingWarehouse(history_of_record=rows),
        organization_id="o",
        identifier="ann",
    ).json()["records"]
    assert [one["changed_fields"] for one in records[:3]] == [["a", "c", "b"], ["a"], []]


def test_masks_hold_in_fields() -> None:
    rows = [sent('{"email": "ann@x", "n": 2}'), sent('{"EMAIL": "bob@x", "n": 1}')]
    page = opened(
        "/record",
        TellingWarehouse(history_of_record=rows),
        "payload:email",
        organization_id="o",
        identifier="ann",
    ).text
    assert "@x" not in page
    assert HIDDEN in page
    assert "<td>2 <small>delivered before: 1</small></td>" in page


def test_a_payload_of_many_fields_is_cut_but_shows_its_changes() -> None:
    many = [fields.Field(f"f{number}", "1") for number in range(300)]
    changed = [*many[:-1], fields.Field("f299", "2")]
    shown = fields.shown_fields(fields.compared(changed, many))
    assert len(shown) == fields.MOST + 1
    assert shown[-1].previous == "1"


def test_a_run_begins_with_its_errors() -> None:
    errors = [
        {**ERROR_OF_RUN, "failure_reason": "no <email> & name", "row_count": 1_200},
        {**ERROR_OF_RUN, "failure_reason": None, "hint": None, "category": None},
        {**ERROR_OF_RUN, "display_status": "Invalid", "failure_reason": "x" * 1_001},
    ]
    warehouse = TellingWarehouse(errors_of_run=[{**one, "error_count": 12} for one in errors])
    page = opened("/run", warehouse, **OF_RUN).text
    asked = warehouse.last("errors_of_run")
    assert asked == {**OF_RUN, "row_limit": 10, "payload_limit": 0}
    part = page[page.index("<h2>Errors of this run</h2>") : page.index("<h2>Records</h2>")]
    assert [[html.unescape(one) for one in row] for row in cells(part)[1:]] == [
        ["no <email> & name", "1,200", "Rejected", "refused", "Correct it."],
        ["no reason given", "1", "Rejected", "\u2013", "\u2013"],
        ["x" * 300 + "…", "1", "Invalid", "refused", "Correct it."],
    ]
    # each leads to its rows, which the status narrows: rows without a reason are also those sent
    for reason in ("no <email> & name", ""):
        link = address("/run", {**OF_RUN, "status": "Rejected", "failure_reason": reason})
        assert f'<a href="{escape(link)}">' in part
    # it is too long for a link
    assert part.count("failure_reason=") == 2
    assert "And 9 more" in part
    data = opened("/run.json", warehouse, **OF_RUN).json()
    assert (len(data["errors"]), data["error_count"]) == (3, 12)
    assert not {"sample_row_id", "record_payload", "error_count"} & data["errors"][0].keys()
    assert data["errors"][0]["sample_identifiers"] == ["ann"]


@pytest.mark.parametrize(
    "given",
    [
        *({"status": "Rejected"}, {"operation": "upsert"}, {"failure_reason": ""}),
        *({"identifier": "ann"}, {"identifier_prefix": "a"}, {"after": key_of("load", 1, "b", 0)}),
    ],
)
def test_only_a_whole_run_is_asked_for_its_errors(given: dict[str, str]) -> None:
    warehouse = TellingWarehouse()
    page = opened("/run", warehouse, **OF_RUN, **given)
    assert page.status_code == 200
    assert "Errors of this run" not in page.text
    assert "errors_of_run" not in {one.name for one in warehouse.asked}


def test_a_run_without_failures_is_not_asked_for_its_errors() -> None:
    clean = {"display_status": "Success", "operation": "upsert", "row_count": 9}
    for counts in ([{**clean, "operation_count": 1}], []):
        warehouse = TellingWarehouse(record_counts=counts)
        page = opened("/run", warehouse, **OF_RUN).text
        assert "Errors of this run" not in page
        assert "errors_of_run" not in {one.name for one in warehouse.asked}
    invalid = {**clean, "display_status": "Invalid", "operation_count": 1}
    page = opened("/run", TellingWarehouse(record_counts=[invalid]), **OF_RUN).text
    assert "Errors of this run" in page


def test_a_warehouse_without_the_tables_of_errors_has_the_rest_of_the_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = opened("/run", Without("errors_of_run"), **OF_RUN)
    assert page.status_code == 200
    assert "Errors of this run" not in page.text
    assert "ann is refused" in page.text
    assert "The errors of a run cannot be read: There is no table for errors_of_run." in caplog.text
    assert opened("/run.json", Without("errors_of_run"), **OF_RUN).json()["errors"] == []


def test_masks_hold_in_the_errors_of_a_run() -> None:
    known = {**ERROR_OF_RUN, "failure_reason": "ann and bob with cyd@x", "sample_row_id": "cyd@x"}
    known |= {"sample_identifiers": '["ann", "bob"]'}
    unknown = {**ERROR_OF_RUN, "failure_reason": "dan or eve", "sample_row_id": "dan"}
    unknown |= {"is_known": False, "sample_identifiers": None, "category": None}
    email = {**ERROR_OF_RUN, "failure_reason": "ann@x is taken"}
    warehouse = TellingWarehouse(errors_of_run=[known, unknown, email], records=[])

    def shown(setting: str) -> tuple[str, list[str]]:
        page = opened("/run", warehouse, setting, **OF_RUN).text
        errors = opened("/run.json", warehouse, setting, **OF_RUN).json()["errors"]
        reasons = [one["failure_reason"] for one in errors]
        for one in reasons:
            assert one in page
        return page, reasons

    for setting in ("identifiers:hashed", "identifiers:hidden"):
        page, reasons = shown(setting)
        # of the second, only one of its identifiers is known
        assert reasons[:2] == [f"{HIDDEN} and {HIDDEN} with {HIDDEN}", HIDDEN]
        assert not re.findall(r"\b(ann|bob|cyd|dan|eve)\b", page)
        assert "failure_reason=" not in page
    assert warehouse.last("errors_of_run")["payload_limit"] == 0
    page, reasons = shown("payload:email")
    assert reasons == ["ann and bob with cyd@x", "dan or eve", f"{HIDDEN} is taken"]
    assert page.count("failure_reason=") == 2
    assert warehouse.last("errors_of_run")["payload_limit"] == catalog.MOST_CHARACTERS
    assert shown("")[1] == ["ann and bob with cyd@x", "dan or eve", "ann@x is taken"]


OF_RUNS = {**OF_RUN, "before_sync_run_id": "6"}


def test_two_runs_are_compared() -> None:
    warehouse = TellingWarehouse()
    page = opened("/compare", warehouse, **OF_RUNS).text
    asked = warehouse.last("patterns_of_runs")
    assert (asked["sync_run_id"], asked["before_sync_run_id"]) == ("7", "6")
    runs = {one.arguments["sync_run_id"] for one in warehouse.asked if one.name == "runs"}
    assert runs == {"6", "7"}
    found = cells(page)
    assert ["Records", "Run 6", "Run 7", "Difference"] in found
    assert ["Succeeded", "3 100 %", "3 100 %", "0"] in found
    assert ["<id> is refused new", "0", "2", "refused", "ann"] in [
        [html.unescape(one) for one in row] for row in found
    ]
    assert ["gone gone", "3", "0", "refused", "\u2013"] in found
    # its text could have an identifier that a mask does not know
    assert ["reasons without a pattern", "1", "1", "\u2013", "\u2013"] in found
    data = opened("/compare.json", warehouse, **OF_RUNS).json()
    assert [one["change"] for one in data["patterns"]] == ["new", "gone", None]
    assert data["counts"][0] == {
        **{"measure": "planned", "count": 3, "before_count": 3, "share": 1.0, "before_share": 1.0}
    }
    link = escape(address("/compare", {**OF_RUNS}))
    assert f'<a href="{link}">' in opened("/run", warehouse, **OF_RUN).text


def test_runs_that_cannot_be_compared() -> None:
    assert opened("/compare", TellingWarehouse(), **OF_RUN).status_code == 400
    missing = opened("/compare", TellingWarehouse(runs=[]), **OF_RUNS)
    assert missing.status_code == 404
    assert "There are no counts of a run" in missing.text
    pruned = TellingWarehouse(runs=[{**RUN, "is_pruned": True}], patterns_of_runs=[])
    page = opened("/compare", pruned, **OF_RUNS).text
    assert page.count("were pruned, so its errors are not known") == 2
    masked = opened("/compare", TellingWarehouse(), "identifiers:hashed", **OF_RUNS).text
    assert ">ann<" not in masked
    assert hashed("ann") in masked


def counted(category: str, failing: int, every: int) -> dict[str, Any]:
    """How many patterns of a category fail now, and how many there are."""
    return {"category": category, "failing_pattern_count": failing, "pattern_count": every}


def pills(text: str, label: str) -> list[tuple[str, str, bool]]:
    """The words, address and state of each link in a list of filters."""
    part = text[text.index(f'<ul class="filters" aria-label="{label}">') :]
    found = re.findall(
        r'<a href="([^"]*)"( aria-current="true")?>(.*?)</a>', part[: part.index("</ul>")]
    )
    return [
        (re.sub("<[^>]*>", "", words), html.unescape(link), bool(on)) for link, on, words in found
    ]


def test_errors_are_those_that_fail_now_unless_there_are_none() -> None:
    counts = [counted("refused", 2, 5), counted("limit", 0, 4)]
    warehouse = TellingWarehouse(pattern_counts=counts)
    page = opened("/errors", warehouse).text
    asked = warehouse.last("error_patterns")
    assert (asked["status"], asked["sort"], asked["after_place"]) == (None, "open", 0)
    assert pills(page, "Patterns") == [
        ("Failing now 2", "/errors?status=failing", True),
        ("All 9", "/errors?status=all", False),
    ]
    # what the data says is what the page shows
    data = opened("/errors.json", warehouse).json()
    assert (data["status"], data["pattern_count"]) == ("failing", 2)
    assert data["status_counts"] == {"failing": 2, "all": 9}
    repaired = TellingWarehouse(pattern_counts=[counted("refused", 0, 5)])
    assert pills(opened("/errors", repaired).text, "Patterns") == [
        ("Failing now 0", "/errors?status=failing", False),
        ("All 5", "/errors?status=all", True),
    ]
    assert opened("/errors.json", repaired).json()["pattern_count"] == 5
    # the pill that was chosen stays chosen, even if no pattern fails now
    failing = opened("/errors", repaired, status="Failing").text
    assert repaired.last("error_patterns")["status"] == "failing"
    assert pills(failing, "Patterns")[0][2] is True
    # of a chosen pattern, all syncs
    opened("/errors", warehouse, failure_pattern="<id> is refused")
    assert warehouse.last("error_patterns")["status"] == "all"
    assert opened("/errors", warehouse, status="open").status_code == 400


def test_errors_are_filtered_by_category() -> None:
    counts = [counted("refused", 2, 5), counted("limit", 0, 4)]
    warehouse = TellingWarehouse(pattern_counts=counts)
    # a category of which nothing fails is not offered among those that do
    assert pills(opened("/errors", warehouse).text, "Category") == [
        ("All categories", "/errors", True),
        ("refused 2", "/errors?category=refused", False),
    ]
    page = opened("/errors", warehouse, status="all", category="limit", sort="records").text
    asked = warehouse.last("error_patterns")
    assert (asked["category"], asked["sort"]) == ("limit", "records")
    # the numbers of the categories do not depend on the chosen one
    assert "category" not in warehouse.last("pattern_counts")
    assert pills(page, "Category") == [
        ("All categories", "/errors?status=all&sort=records", False),
        ("refused 5", "/errors?status=all&category=refused&sort=records", False),
        ("limit 4", "/errors?status=all&category=limit&sort=records", True),
    ]
    assert pills(page, "Patterns")[1][0] == "All 4"
    unknown = opened("/errors", warehouse, category="nothing").text
    assert ("nothing 0", "/errors?category=nothing", True) in pills(unknown, "Category")
    one = opened("/errors", TellingWarehouse()).text
    assert 'aria-label="Category"' not in one


def test_errors_are_sorted_by_the_heads_of_their_columns() -> None:
    warehouse = TellingWarehouse()
    heads = {"open": "Open", "records": "Records", "last_seen": "Last seen"}
    heads["first_seen"] = "First seen"
    for chosen in heads:
        page = opened("/errors", warehouse, status="all", sort=chosen).text
        assert warehouse.last("error_patterns")["sort"] == chosen
        assert page.count("aria-sort") == 1
        for name, words in heads.items():
            sorted_by = ' aria-sort="descending"' if name == chosen else ""
            link = escape(address("/errors", {"status": "all", "sort": name}))
            assert f'{sorted_by}><a href="{link}">{words}</a></th>' in page
    assert (
        'aria-sort="descending"><a href="/errors?sort=open">' in opened("/errors", warehouse).text
    )
    assert opened("/errors", warehouse, sort="name").status_code == 400


def test_errors_have_pages() -> None:
    counts = [counted("refused", 30, 40), counted("limit", 10, 17)]
    warehouse = TellingWarehouse(error_patterns=[PATTERN] * 25, pattern_counts=counts)
    page = opened("/errors", warehouse, sort="records").text
    assert warehouse.last("error_patterns")["row_limit"] == 25
    assert "These are 1 to 25 of 40 patterns." in page
    after = opened("/errors.json", warehouse, sort="records").json()["after"]
    assert after == key_of("load", 25)
    link = escape(address("/errors", {"sort": "records", "after": after}))
    assert f'<a rel="next" href="{link}">Next rows</a>' in page
    # a pattern, a filter and another order begin at the first page
    assert page.count("after=") == 1
    last = TellingWarehouse(error_patterns=[PATTERN] * 15, pattern_counts=counts)
    page = opened("/errors", last, sort="records", after=after).text
    assert last.last("error_patterns")["after_place"] == 25
    assert "These are 26 to 40 of 40 patterns." in page
    assert '<a href="/errors?sort=records">First rows</a>' in page
    assert "Next rows" not in page
    assert "A build has committed" not in page
    # only the same page as JSON
    assert page.count("after=") == 1
    # causes are on the first page
    assert "error_clusters" not in {one.name for one in last.asked}
    assert opened("/errors.json", last, after=after).json()["after"] is None
    newer = opened("/errors", last, after=key_of("another", 25)).text
    assert "A build has committed since the previous page" in newer
    assert opened("/errors", last, after="x").status_code == 400
    beyond = TellingWarehouse(error_patterns=[], pattern_counts=counts)
    assert "There are no more patterns." in opened("/errors", beyond, after=after).text


NO_PATTERNS: dict[str, Any] = {"error_patterns": [], "pattern_counts": []}


@pytest.mark.parametrize(
    ("path", "empty", "given", "words"),
    [
        ("/", {"syncs": []}, {}, "There are no syncs yet. Run <code>dbt build</code>"),
        ("/", {}, {"text": "zz"}, '<a href="/">Show all syncs</a>'),
        ("/errors", NO_PATTERNS, {}, "accepted everything so far"),
        ("/errors", NO_PATTERNS, {"sync_id": "s"}, "Show all errors"),
        ("/errors", {"error_patterns": []}, {}, "Show all patterns"),
        ("/sync", {"runs": []}, ABOUT, "No run is kept."),
        ("/failures", {"failures": []}, {}, "No record fails now."),
        ("/failures", {"failures": []}, {"sync_id": "s"}, "Show all failures"),
        ("/builds", {"builds": []}, {}, "Nothing has been built yet"),
        ("/builds", {"file_issues": []}, {}, "All files could be read."),
        ("/audience", {"members": []}, ABOUT, "runs of this sync</a>"),
        ("/audience", {"members": []}, {**ABOUT, "at": "2026-01-01"}, "see who is in now"),
        ("/run", {"records": []}, OF_RUN, "Show all records"),
        ("/run", {"records": [], "record_counts": []}, OF_RUN, "no records of this run"),
        ("/compare", {"patterns_of_runs": []}, OF_RUNS, "No record of either run"),
        ("/nowhere", {}, {}, "find a record with the box at the top"),
    ],
)
def test_an_empty_page_says_what_to_do(
    path: str, empty: dict[str, Any], given: dict[str, str], words: str
) -> None:
    assert words in opened(path, TellingWarehouse(**empty), **given).text


def test_hostile_names_and_values_are_text_everywhere() -> None:
    hostile = '"><script>alert(1)</script>\u202e'
    run = {**RUN, "sync_run_id": hostile, "sync_id": hostile, "model_name": hostile}
    row = sent(json.dumps({hostile: hostile, "a": {hostile: 1}}), sync_id=hostile)
    warehouse = TellingWarehouse(
        runs=[run],
        history_of_record=[row, sent(json.dumps({hostile: 1}), sync_id=hostile)],
        records=[row],
        organizations_of_record=[{"organization_id": hostile, "sync_count": 1}] * 2,
        syncs=[{**STATISTICS, "vendor": hostile, "organization_id": hostile}, STATISTICS],
    )
    given = {"organization_id": hostile, "sync_id": hostile, "sync_run_id": hostile}
    for path, asked in (
        *(("/", {}), ("/sync", ABOUT), ("/run", given), ("/find", {"identifier": hostile})),
        ("/record", {"organization_id": hostile, "identifier": hostile}),
        ("/compare", {**given, "before_sync_run_id": hostile}),
        *(("/", {"time_zone": hostile}), ("/nowhere", {})),
    ):
        page = opened(path, warehouse, **asked)
        # a field keeps what was typed, escaped
        seen = re.sub(r'(value|title|aria-label)="[^"]*"', "", page.text)
        assert "<script" not in page.text, path
        assert "\u202e" not in seen, path
