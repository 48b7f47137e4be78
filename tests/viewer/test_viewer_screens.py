"""What each page shows, without Spark: times and zones, its head, words if it is empty, texts."""

import json
import re
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.masks import Mask
from sync_logs_viewer.web.clock import Clock
from sync_logs_viewer.web.parameters import address
from viewer.fake_warehouse import RUN, STATISTICS, Committing, TellingWarehouse, Without
from viewer.reading import ABOUT, OF_RUN, OF_RUNS, browser, opened, sent

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
    with browser(Answers(TellingWarehouse(), Mask())) as client:
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
    page = opened("/failures", Committing("first", "first", "second")).text
    assert 'title="first"' in page
    assert "Data until" not in page


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
