"""What the pages show of syncs, without Spark: tiles, filters, and a bar for each run."""

import re

import pytest
from markupsafe import escape

from sync_logs_viewer.web import bars
from sync_logs_viewer.web.parameters import address
from sync_logs_viewer.web.routes import syncs as syncs_page
from viewer.fake_warehouse import HEALTH, RUN, STATISTICS, TellingWarehouse
from viewer.reading import ABOUT, cells, opened

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
