"""Syncs, their calendars and alerts; the last test builds again, while a run is in progress."""

import json
import os
import re
from types import SimpleNamespace

import pytest
from pyspark.sql import SparkSession
from starlette.testclient import TestClient

from conftest import Warehouse
from helpers import viewer_lake as lake
from oracle.answers import compute_answers
from oracle.lake import read_lake
from scripts.serve import watch
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.exports import KINDS
from sync_logs_viewer.masks import Mask
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.warehouse import SessionWarehouse
from sync_logs_viewer.web import formats
from sync_logs_viewer.web.routes import errors as errors_page
from sync_logs_viewer.web.routes import record as record_page
from sync_logs_viewer.web.routes import run as run_page
from viewer.pages.conftest import AS_OF, FIRST, SECOND, THIRD, data, expected_rows, found_rows
from viewer.reading import browser


def test_syncs_are_found_by_text_status_and_organisation(
    shown: TestClient, built: Warehouse
) -> None:
    page = data(shown, "/index")
    names = {(one["organization_id"], one["model_name"]) for one in page["syncs"]}
    of_edges = {("edge", None), ("long", None)}
    assert names == {("o", "Customers </script>"), ("p", "Others")} | of_edges
    by_name = {one["organization_id"]: one for one in page["syncs"]}
    assert by_name["o"]["last_sync_run_id"] == "3"
    assert by_name["o"]["last_run_status"] is None
    # silent and worse; not twice (a duplicate does not hide a success), nor bad (run 2 sent it)
    assert by_name["o"]["open_record_count"] == 2
    # one row each, with what failed in the last run
    assert len(page["syncs"]) == len(built.rows("sync_statistics"))
    ids = ("organization_id", "sync_id", "sync_run_id")
    runs = {tuple(row[name] for name in ids): row for row in built.rows("sync_runs")}
    for one in page["syncs"]:
        key = (one["organization_id"], one["sync_id"], one["last_sync_run_id"])
        run = runs[key]
        failed = sum(run[f"num_failed_{op_type}"] for op_type in ("add", "change", "remove"))
        assert one["last_run_failed_count"] == failed
    for given, organizations in (
        ({"text": "cust"}, ["o"]),
        ({"status": "unsettled", "text": "cust"}, ["o"]),
        ({"status": "succeeded", "text": "others"}, ["p"]),
        ({"organization_id": "p"}, ["p"]),
        ({"text": "%"}, []),
    ):
        found = data(shown, "/index", **given)["syncs"]
        assert [one["organization_id"] for one in found] == organizations, given


def test_times_at_the_edge_fill_no_page(shown: TestClient, built: Warehouse) -> None:
    """The days, too, are what the oracle computes from the same files."""
    days = compute_answers(read_lake(built.lake), lake.NOW)["sync_activity_daily"]
    expected = {(one["organization_id"], one["sync_id"], one["activity_date"]) for one in days}
    assert {
        (one["organization_id"], one["sync_id"], one["activity_date"])
        for one in built.rows("sync_activity_daily")
    } == expected
    edge = {"organization_id": "edge", "sync_id": "edges"}
    page = data(shown, "/sync", **edge)
    assert [(day["activity_date"], day["run_count"]) for day in page["activity"]] == [
        *(("0001-01-02", 1), ("1970-01-01", 1), ("2026-03-01", 1), ("9999-12-31", 1)),
    ]
    assert page["earlier_day_count"] == 0
    text = shown.get("/sync", params=edge).text
    assert "The chart leaves out 3 days" in text
    assert len(text) < 50_000
    # a start in the year 10000 or 0 is not known
    beyond = data(shown, "/sync", organization_id="edge", sync_id="beyond")
    assert [one["started_at"] for one in beyond["runs"]] == [None, None]
    for run in ("0", "3"):
        for address in ("/run", "/run.json", *(f"/run/records.{kind}" for kind in KINDS)):
            response = shown.get(address, params={**edge, "sync_run_id": run})
            assert response.status_code == 200, response.text
    for at in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-14:00"):
        assert data(shown, "/audience", **edge, at=at)["member_count"] == 0


def test_a_long_calendar_is_cut(shown: TestClient, built: Warehouse) -> None:
    days = [one for one in built.rows("sync_activity_daily") if one["organization_id"] == "long"]
    # 11 of the runs are on the last 3,660 days, and the days of the others stay
    assert len(days) == 3660 + len(lake.LONG) - 11
    long = {"organization_id": "long", "sync_id": "long"}
    page = data(shown, "/sync", **long)
    assert page["activity"][-1]["activity_date"] == lake.LONG[-1].date().isoformat()
    assert (len(page["activity"]), page["earlier_day_count"]) == (400, len(days) - 400)
    # the last 400 days have the last run, and the one 360 days before
    assert page["earlier_run_count"] == len(lake.LONG) - 2
    for address in ("/sync", "/audience"):
        text = shown.get(address, params=long).text
        assert f"{len(days) - 400:,} earlier days, with {len(lake.LONG) - 2} runs" in text
        assert len(text) < 250_000
    assert "These are the first 10 of 13 patterns" in shown.get("/sync", params=long).text


def test_a_page_says_what_it_leaves_out(shown: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "OPERATIONS", 1)
    text = shown.get("/run", params=SECOND).text
    assert "These are the 1 most common operations; 1 more are in the records." in text
    assert "operation=upsert" in text
    assert "operation=delete" not in text
    assert data(shown, "/run", **SECOND)["status_counts"]["Success"] == len(lake.SECOND_RUN)
    for name in ("PATTERNS", "ROWS", "CATEGORIES"):
        monkeypatch.setattr(errors_page, name, 1)
    text = shown.get("/errors").text
    assert re.search(r"These are 1 to 1 of \d+ patterns", text)
    assert "These are the first 1; choose one" in text
    text = shown.get("/errors", params={"failure_pattern": "email <email> is not known"}).text
    assert "These are the first 1 of 2 reasons" in text
    monkeypatch.setattr(record_page, "ROWS", 1)
    text = shown.get("/record", params={"organization_id": "o", "identifier": "007"}).text
    assert text.count("These are 1; there are more.") == 2, "audiences and rows of the log"


def test_the_head_of_a_page_is_the_end_of_the_log(shown: TestClient, built: Warehouse) -> None:
    ends = [row["data_until_at"] for row in built.rows("sync_statistics")]
    last = max(one for one in ends if one is not None)
    for page, given in (("/", {}), ("/run", FIRST)):
        text = shown.get(page, params=given).text
        assert f'Data until <time datetime="{formats.exact(last)}"' in text


def test_alerts_and_health_are_those_of_the_tables(shown: TestClient, built: Warehouse) -> None:
    everything = data(shown, "/alerts", status="all")["alerts"]
    assert {one["alert_id"] for one in everything} == {
        row["alert_id"] for row in built.rows("sync_alerts")
    }
    open_now = data(shown, "/alerts")["alerts"]
    assert open_now == [one for one in everything if one["is_open"]]
    first = data(shown, "/index")
    assert first["open_alert_count"] == sum(not one["is_muted"] for one in open_now)
    health = {(row["organization_id"], row["sync_id"]): row for row in built.rows("sync_health")}
    for one in first["syncs"]:
        key = (one["organization_id"], one["sync_id"])
        assert one["health"] == health[key]["health"]
        page = data(shown, "/sync", organization_id=key[0], sync_id=key[1])
        messages = [alert["message"] for alert in page["alerts"]]
        assert sorted(messages) == sorted(json.loads(health[key]["messages"]))


def test_a_watch_sees_a_file_that_was_rewritten(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SparkSession.builder.getOrCreate()
    builder = SimpleNamespace(remote=lambda _: SimpleNamespace(getOrCreate=lambda: session))
    monkeypatch.setattr(SparkSession, "builder", builder)
    monkeypatch.setenv("SPARK_REMOTE", "unused")
    monkeypatch.setattr(watch, "schema_of_clone", lambda: built.schema)
    listed = watch._listing()
    assert listed is not None
    assert watch._listing() == listed
    file = next(built.lake.rglob("*.parquet"))
    written = file.stat()
    try:
        os.utime(file, (1, 1))
        assert watch._listing() != listed
    finally:
        os.utime(file, ns=(written.st_atime_ns, written.st_mtime_ns))


def test_a_run_in_progress_grows(
    shown: TestClient, built: Warehouse, warehouse: SessionWarehouse
) -> None:
    """Also: the next page tells a reader that a build has committed meanwhile."""
    # this page is from the previous build
    later = browser(Answers(warehouse, Mask()))
    page = data(later, "/run", **THIRD)
    assert found_rows(page["records"]) == expected_rows(lake.IN_PROGRESS)
    assert "This run is in progress" in later.get("/run", params=THIRD).text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_page, "ROWS", 1)
        key = data(later, "/run", **THIRD)["after"]
    lake.write_lake(built.lake, lake.LATER)
    assert built.builds(AS_OF), built.failures()
    after = browser(Answers(warehouse, Mask()))
    grown = data(after, "/run", **THIRD)
    assert found_rows(grown["records"]) == expected_rows(lake.IN_PROGRESS + lake.MORE_IN_PROGRESS)
    assert grown["load_id"] != page["load_id"]
    paged = after.get("/run", params={**THIRD, "after": key})
    assert "A build has committed since the previous page" in paged.text
    assert "A build has committed" not in after.get("/run", params=THIRD).text
    begun = [one["started_at"] for one in data(after, "/builds")["builds"]]
    assert len(begun) > 1
    assert begun == sorted(begun, reverse=True)
