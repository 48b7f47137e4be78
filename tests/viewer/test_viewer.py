"""The viewer's pages on a small warehouse: rows, errors, formats and masks.

The expected values come from the lists that the lake is written from.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from markupsafe import escape
from pyspark.sql import SparkSession
from starlette.testclient import TestClient

from conftest import Warehouse
from helpers import viewer_lake as lake
from oracle.answers import compute_answers
from oracle.lake import read_lake
from sync_logs_viewer import asking, commands
from sync_logs_viewer.answers import Answers, rows_among
from sync_logs_viewer.exports import KINDS
from sync_logs_viewer.masks import HIDDEN, Mask, hashed, mask_of
from sync_logs_viewer.periods import DATES, Period
from sync_logs_viewer.questions import Query, Record, RecordFilters, Run, Sync, catalog
from sync_logs_viewer.questions.pages import Order, Position
from sync_logs_viewer.warehouse import SessionWarehouse
from sync_logs_viewer.web import formats
from sync_logs_viewer.web.app import application
from sync_logs_viewer.web.parameters import address as address_of
from sync_logs_viewer.web.routes import errors as errors_page
from sync_logs_viewer.web.routes import failures
from sync_logs_viewer.web.routes import periods as periods_page
from sync_logs_viewer.web.routes import record as record_page
from sync_logs_viewer.web.routes import run as run_page
from sync_logs_viewer.web.routes import sync as sync_page
from viewer import periods_by_hand as by_hand

AS_OF = json.dumps({"sync_logs_as_of": lake.NOW.isoformat()})
SYNC = {"organization_id": "o", "sync_id": "s"}
FIRST, SECOND, THIRD = ({**SYNC, "sync_run_id": number} for number in ("1", "2", "3"))
DISPLAYED = {"succeeded": "Success", "rejected": "Rejected", "NULL": "Invalid"} | {
    "DUPLICATE": "Invalid"
}
Get = Callable[..., Any]


@pytest.fixture(scope="module")
def built(module_warehouse: Warehouse) -> Warehouse:
    lake.write_lake(module_warehouse.lake, lake.LAKE + lake.AT_THE_EDGE)
    assert module_warehouse.builds(AS_OF), module_warehouse.failures()
    return module_warehouse


@pytest.fixture(scope="module")
def warehouse(built: Warehouse) -> SessionWarehouse:
    return SessionWarehouse(
        lambda: SparkSession.builder.getOrCreate().newSession(), built.schema, "this process"
    )


@pytest.fixture(scope="module")
def shown(warehouse: SessionWarehouse) -> Iterator[TestClient]:
    with client_of(Answers(warehouse, Mask())) as client:
        yield client


def client_of(answers: Answers) -> TestClient:
    """A browser of this machine."""
    return TestClient(application(answers), "http://127.0.0.1", follow_redirects=False)


def masked(warehouse: SessionWarehouse, setting: str) -> TestClient:
    return client_of(Answers(warehouse, mask_of(setting)))


def data(client: TestClient, page: str, **parameters: str) -> Any:
    response = client.get(f"{page}.json", params=parameters)
    assert response.status_code == 200, response.text
    return response.json()


def expected_rows(records: Any, **wanted: str) -> list[tuple[Any, ...]]:
    rows = [(one["identifier"], DISPLAYED[one["status"]], one["operation"]) for one in records]
    return [row for row in rows if wanted.get("status") in (None, row[1])]


def found_rows(rows: Any) -> list[tuple[Any, ...]]:
    return [(one["identifier"], one["display_status"], one["operation"]) for one in rows]


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


def test_the_records_of_a_run_are_its_rows(shown: TestClient) -> None:
    page = data(shown, "/run", **FIRST)
    assert found_rows(page["records"]) == expected_rows(lake.FIRST_RUN)
    assert page["status_counts"] == {
        **{"Success": len(lake.HOSTILE) + 1, "Rejected": 3, "Invalid": 2},
        **{"Not attempted": 0, "Unknown": 0},
    }
    assert page["record_count"] == len(lake.FIRST_RUN)
    assert page["neighbours"] == {"previous_sync_run_id": None, "next_sync_run_id": "2"}


def test_the_errors_of_a_run_lead_to_exactly_their_rows(
    shown: TestClient, warehouse: SessionWarehouse
) -> None:
    page = data(shown, "/run", **FIRST)
    refused = [row for row in expected_rows(lake.FIRST_RUN) if row[1] in ("Rejected", "Invalid")]
    assert sum(one["row_count"] for one in page["errors"]) == len(refused)
    assert page["error_count"] == len(page["errors"]) == 5
    for error in page["errors"]:
        given = {"status": error["display_status"], "failure_reason": error["failure_reason"] or ""}
        assert data(shown, "/run", **FIRST, **given)["record_count"] == error["row_count"]
        assert error["is_known"]
        assert error["category"]
    reasons = {one["failure_reason"]: one for one in page["errors"]}
    assert reasons["email worse@x is not known"]["failure_pattern"] == "email <email> is not known"
    assert None in reasons
    # of the second run, nothing failed
    assert data(shown, "/run", **SECOND)["errors"] == []
    cut = warehouse.ask(catalog.errors_of_run(Run(**FIRST), 2, 9)).to_pylist()
    assert [(one["row_count"], one["error_count"]) for one in cut] == [(1, 5)] * 2
    assert {one["display_status"] for one in cut} == {"Rejected"}
    assert {len(one["record_payload"]) for one in cut} == {9}


def test_a_run_with_failures_is_not_shown_as_a_clean_one(shown: TestClient) -> None:
    run = data(shown, "/run", **FIRST)["run"]
    failed = sum(run[f"num_failed_{one}"] for one in ("add", "change", "remove"))
    assert run["status"] == "succeeded"
    assert failed > 0
    told = f'<span class="status warn">succeeded, {failed} failed</span>'
    assert told in shown.get("/run", params=FIRST).text
    assert told in shown.get("/sync", params=SYNC).text
    # of the second run, nothing failed
    assert '<span class="status good">succeeded</span>' in shown.get("/run", params=SECOND).text


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


@pytest.mark.parametrize("status", ["Success", "Rejected", "Invalid"])
def test_a_status_opens_exactly_its_rows(shown: TestClient, status: str) -> None:
    page = data(shown, "/run", **FIRST, status=status)
    assert found_rows(page["records"]) == expected_rows(lake.FIRST_RUN, status=status)
    assert page["record_count"] == page["status_counts"][status] == len(page["records"])
    assert data(shown, "/run", **FIRST, status=status.lower())["records"] == page["records"]


def test_filters_of_operation_and_reason(shown: TestClient) -> None:
    deleted = data(shown, "/run", **SECOND, operation="delete")
    assert [one["identifier"] for one in deleted["records"]] == ["007"]
    refused = data(shown, "/run", **FIRST, failure_reason="email bad@x is not known")
    assert [one["identifier"] for one in refused["records"]] == ["bad"]
    invalid = data(shown, "/run", **FIRST, failure_reason="Invalid record: duplicate identifier")
    assert [one["identifier"] for one in invalid["records"]] == ["twice"]
    silent = data(shown, "/run", **FIRST, status="Rejected", failure_reason="")
    assert [one["identifier"] for one in silent["records"]] == ["silent"]


def test_hostile_identifiers_are_found(warehouse: SessionWarehouse) -> None:
    for identifier in lake.HOSTILE:
        filters = RecordFilters(identifier=identifier)
        asked = catalog.records(Run("o", "s", "1"), filters, None, 10, False, 10)
        found = warehouse.ask(asked).to_pylist()
        assert [one["identifier"] for one in found] == [identifier]


def test_hostile_values_are_text(shown: TestClient) -> None:
    pages = [shown.get("/run", params=FIRST)]
    for identifier in lake.HOSTILE[:6]:
        pages.append(shown.get("/run", params={**FIRST, "identifier": identifier}))
        pages.append(
            shown.get("/record", params={"organization_id": "o", "identifier": identifier})
        )
    for page in pages:
        assert page.status_code == 200
        # an input field keeps the typed text; everything else is escaped
        seen = re.sub(r"<input [^>]*>", "", page.text)
        for mark in ("<script", "<img", "\u202e", "\x00"):
            assert mark not in seen


def test_a_prefix_is_taken_literally(shown: TestClient) -> None:
    for prefix, identifiers in (
        ("100%", ["100%_x"]),
        ("100_", ["100_zx"]),
        ("' or", ["' or 1=1 --"]),
        ("zz", []),
    ):
        page = data(shown, "/run", **FIRST, identifier_prefix=prefix)
        assert [one["identifier"] for one in page["records"]] == identifiers


def test_pages_have_each_row_once(shown: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_page, "ROWS", 50)
    rows: list[tuple[Any, ...]] = []
    after: dict[str, str] = {}
    for _ in range(3):
        page = data(shown, "/run", **SECOND, **after)
        rows += found_rows(page["records"])
        after = {"after": page["after"]}
    assert page["after"] is None
    assert rows == expected_rows(lake.SECOND_RUN)


def test_payloads_are_shown_as_they_were_logged(shown: TestClient) -> None:
    page = shown.get("/run", params={**FIRST, "identifier": lake.HOSTILE[0]}).text
    assert '<th scope="row">big</th><td>12345678901234567890</td>' in page
    assert '<th scope="row">rate</th><td>1.10</td>' in page
    long = shown.get("/run", params={**FIRST, "identifier": lake.HOSTILE[3]}).text
    assert "The first 20,000 of 2,000,012 characters" in long
    assert len(long) < 100_000


def test_downloads_have_the_rows_of_the_page(shown: TestClient) -> None:
    expected = expected_rows(lake.FIRST_RUN)
    text = shown.get("/run/records.jsonl", params=FIRST)
    lines = [json.loads(line) for line in text.text.splitlines()]
    assert found_rows(lines) == expected
    assert [one["record_payload"] for one in lines] == [
        one["record_payload"] for one in lake.FIRST_RUN
    ]
    assert lines[0]["batch_ended_at"] == "2026-03-01T06:01:00.000000Z"
    parquet = pq.read_table(io.BytesIO(shown.get("/run/records.parquet", params=FIRST).content))
    assert found_rows(parquet.to_pylist()) == expected
    filtered = shown.get("/run/records.csv", params={**FIRST, "status": "Rejected"})
    rows = list(csv.DictReader(io.StringIO(filtered.text, newline="")))
    assert found_rows(rows) == expected_rows(lake.FIRST_RUN, status="Rejected")
    name = filtered.headers["content-disposition"]
    assert "status=Rejected" in name
    assert data(shown, "/run", **FIRST)["load_id"] in name
    assert filtered.headers["x-sync-logs-rows"] == "3 of 3"


def test_cells_of_a_csv_are_not_formulas(shown: TestClient) -> None:
    text = shown.get("/run/records.csv", params=FIRST).text
    csv.field_size_limit(10_000_000)
    cells = {row["identifier"] for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert {"'=HYPERLINK(1)", "'+1", "'-1", "'@x", "'\tx", "'\rx"} <= cells


def test_a_download_says_what_it_leaves_out(
    shown: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNC_LOGS_DOWNLOAD_ROWS", "5")
    response = shown.get("/run/records.jsonl", params=SECOND)
    assert len(response.text.splitlines()) == 5
    assert response.headers["x-sync-logs-rows"] == "5 of 122"
    assert "first-5-of-122" in response.headers["content-disposition"]
    assert "the first 5 of 122" in shown.get("/run", params=SECOND).text


def test_a_record_is_seen_in_all_syncs_of_its_organisation(shown: TestClient) -> None:
    page = data(shown, "/record", organization_id="o", identifier="007")
    assert [one["sync_run_id"] for one in page["records"]] == ["3", "2", "1"]
    assert {one["operation"] for one in page["records"]} == {"upsert", "delete"}
    entered = [
        (one["entered_sync_run_id"], one["exited_sync_run_id"]) for one in page["memberships"]
    ]
    assert sorted(entered, key=str) == [("1", "2"), ("3", None)]
    elsewhere = data(shown, "/record", organization_id="p", identifier="007")
    assert [one["failure_reason"] for one in elsewhere["states"]] == ["not here"]
    assert (
        "1 open error."
        in shown.get("/record", params={"organization_id": "p", "identifier": "007"}).text
    )


def test_failures_are_seen_until_they_end(shown: TestClient) -> None:
    open_now = data(shown, "/failures")["failures"]
    found = {(one["organization_id"], one["row_id"]) for one in open_now}
    assert {("o", "worse"), ("o", "silent"), ("p", "007")} <= found
    assert ("o", "bad") not in found
    ages = [one["started_at"] for one in open_now]
    assert ages == sorted(ages)
    assert data(shown, "/failures", organization_id="p", sync_id="t")["failures"] == []
    (repaired,) = data(shown, "/record", organization_id="o", identifier="bad")["failures"]
    assert [repaired[name] for name in ("ended_by", "ended_sync_run_id")] == ["succeeded", "2"]
    asked = {"organization_id": "p", "identifier": "007"}
    assert "still failing" in shown.get("/record", params=asked).text
    # of bad, worse and silent, the second run repaired the first; all runs are on one day
    (day,) = data(shown, "/sync", **SYNC)["activity"]
    assert (day["open_failure_count"], day["repaired_failure_count"]) == (2, 1)
    (sync,) = data(shown, "/index", organization_id="o")["syncs"]
    assert [one["open_failure_count"] for one in sync["trend"]] == [2]
    assert "Failures open and repaired by day" in shown.get("/sync", params=SYNC).text


def test_an_audience_is_seen_at_any_time(shown: TestClient) -> None:
    accepted = {one["identifier"] for one in lake.FIRST_RUN if one["status"] == "succeeded"}
    second = {one["identifier"] for one in lake.SECOND_RUN if one["operation"] == "upsert"}
    before = data(shown, "/audience", **SYNC, at="2026-03-01T06:59:59Z")
    assert {one["row_id"] for one in before["members"]} == accepted
    assert before["member_count"] == len(accepted)
    # the batches of the second run end at 07:01, those of the third at 08:51
    at_exit = data(shown, "/audience", **SYNC, at="2026-03-01T07:01:00Z")
    remaining = (accepted | second) - {"007"}
    assert at_exit["member_count"] == len(remaining)
    # a page of them, by identifier
    assert {one["row_id"] for one in at_exit["members"]} < remaining
    just_before = data(shown, "/audience", **SYNC, at="2026-03-01T07:00:59.999999Z")
    assert just_before["member_count"] == len(accepted)
    now = data(shown, "/audience", **SYNC)
    assert now["member_count"] == len(accepted | second | {"now"})


def test_errors_lead_to_their_rows(shown: TestClient, warehouse: SessionWarehouse) -> None:
    page = data(shown, "/errors", status="all")
    assert len(page["patterns"]) == page["pattern_count"]
    assert page["errors"] == []
    errors = []
    for pattern in page["patterns"]:
        asked = {
            "organization_id": pattern["organization_id"],
            "failure_pattern": pattern["failure_pattern"] or "",
        }
        chosen = data(shown, "/errors", **asked)
        assert pattern in chosen["patterns"]
        of_pattern = [one for one in chosen["errors"] if one["sync_id"] == pattern["sync_id"]]
        assert len(of_pattern) == pattern["failure_reason_count"]
        assert {one["failure_pattern"] for one in of_pattern} == {pattern["failure_pattern"]}
        errors += of_pattern
    for error in errors:
        key = {name: error[name] for name in ("organization_id", "sync_id")}
        reason = error["failure_reason"] or ""
        run = Run(**key, sync_run_id=error["last_sync_run_id"])
        about = RecordFilters(failure_reason=reason)
        rows = warehouse.ask(catalog.records(run, about, None, 99, False, 9)).to_pylist()
        refused = [one for one in rows if one["display_status"] != "Success"]
        assert len(refused) == error["record_count"], error
    for sync_id in {one["sync_id"] for one in page["patterns"]}:
        chosen = data(shown, "/errors", sync_id=sync_id, status="all")
        of_sync = [one for one in page["patterns"] if one["sync_id"] == sync_id]
        assert chosen["patterns"] == of_sync
        organizations = {one["organization_id"] for one in of_sync}
        assert {one["organization_id"] for one in chosen["categories"]} == organizations
    assert len(data(shown, "/errors", sync_id="s", failure_pattern="not here")["errors"]) == 1
    elsewhere = data(shown, "/errors", sync_id="edges", failure_pattern="not here")
    assert [elsewhere[name] for name in ("patterns", "errors")] == [[], []]
    categories = {one["category"] for one in page["categories"]}
    for category in categories:
        patterns = data(shown, "/errors", category=category, status="all")["patterns"]
        assert patterns == [one for one in page["patterns"] if one["category"] == category]


def test_errors_are_sorted_and_filtered_before_they_are_cut(
    shown: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = data(shown, "/errors", status="all")["patterns"]
    failing = [one for one in everything if one["open_record_count"]]
    assert 0 < len(failing) < len(everything)
    monkeypatch.setattr(errors_page, "PATTERNS", 3)
    columns = {"open": "open_record_count", "records": "record_count"}
    columns |= {"last_seen": "last_seen_at", "first_seen": "first_seen_at"}
    for sort, column in columns.items():
        for status, expected in (("all", everything), ("failing", failing)):
            rows: list[dict[str, Any]] = []
            after: dict[str, str] = {}
            for _ in range(0, len(expected), 3):
                page = data(shown, "/errors", status=status, sort=sort, **after)
                assert page["pattern_count"] == page["status_counts"][status] == len(expected)
                rows += page["patterns"]
                after = {"after": page["after"]}
            assert page["after"] is None
            assert sorted(rows, key=repr) == sorted(expected, key=repr), (sort, status)
            values = [one[column] for one in rows]
            known = [one for one in values if one is not None]
            assert values == [*sorted(known, reverse=True), *[None] * (len(values) - len(known))]
    # those that fail now, unless there are none
    assert data(shown, "/errors")["status"] == "failing"
    assert data(shown, "/errors")["patterns"] == failing[:3]
    categories = {one["category"] for one in everything} - {one["category"] for one in failing}
    for category in categories:
        page = data(shown, "/errors", category=category)
        assert page["status"] == "all"
        assert page["patterns"]


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


def test_a_record_says_since_when_it_fails(shown: TestClient, built: Warehouse) -> None:
    asked = {"organization_id": "p", "identifier": "007"}
    (failure,) = data(shown, "/record", **asked)["failures"]
    history = {(row["organization_id"], row["row_id"]): row for row in built.rows("record_history")}
    row = history["p", "007"]
    assert failure["failure_number"] == row["failure_count"] == 1
    assert failure["failure_pattern"] == "not here"
    page = shown.get("/record", params=asked).text
    since = f'<time datetime="{formats.exact(row["failing_since_at"])}"'
    assert re.search(f"{since}[^>]*>[^<]*</time> <small>1 failed run; failure no. 1<", page)
    link = address_of("/errors", {"organization_id": "p", "failure_pattern": "not here"})
    assert str(escape(link)) in page


def test_an_identifier_is_found_in_its_organisations(shown: TestClient) -> None:
    for identifier in (*lake.HOSTILE, "worse"):
        found = data(shown, "/find", identifier=identifier)["organizations"]
        assert {"organization_id": "o", "sync_count": 1} in found, identifier
    both = data(shown, "/find", identifier="007")["organizations"]
    assert [one["organization_id"] for one in both] == ["o", "p"]
    assert shown.get("/find", params={"identifier": "007"}).status_code == 200
    assert data(shown, "/find", identifier="0_7")["organizations"] == []
    led = shown.get("/find", params={"identifier": "worse"})
    assert led.headers["location"] == address_of(
        "/record", {"organization_id": "o", "identifier": "worse"}
    )
    assert shown.get(led.headers["location"]).status_code == 200


def test_two_runs_are_compared_by_their_rows(shown: TestClient) -> None:
    page = data(shown, "/compare", **SECOND, before_sync_run_id="1")
    refused = [row for row in expected_rows(lake.FIRST_RUN) if row[1] in ("Rejected", "Invalid")]
    assert sum(one["before_record_count"] for one in page["patterns"]) == len(refused)
    # of the second run, nothing failed
    assert {(one["change"], one["record_count"]) for one in page["patterns"]} == {("gone", 0)}
    patterns = {one["failure_pattern"] for one in page["patterns"] if one["is_known"]}
    assert {"email <email> is not known", None} <= patterns
    counts = {one["measure"]: one for one in page["counts"]}
    for measure, one in counts.items():
        for name, run in (("count", page["run"]), ("before_count", page["before"])):
            of_run = [run[f"num_{measure}_{op}"] for op in ("add", "change", "remove")]
            assert one[name] == sum(of_run), measure
    same = data(shown, "/compare", **FIRST, before_sync_run_id="1")
    assert {one["change"] for one in same["patterns"]} == {None}


DAY = date(2026, 3, 1)
WEEK_BEFORE = Period(date(2026, 2, 22), date(2026, 2, 28))
LAST_DAYS = Period(date(9999, 12, 25), date(9999, 12, 31))
EIGHTH, NINTH = lake.LONG[8].date(), lake.LONG[9].date()
COLUMNS_OF_CHANGE = ("change_type", "before_record_count", "record_count")


@pytest.mark.parametrize(
    ("of_sync", "later", "earlier", "pattern_count"),
    [
        ("o/s", Period(DAY, DAY), WEEK_BEFORE, 4),
        ("o/s", Period(date(2026, 3, 2), date(2026, 3, 3)), Period(DAY, DAY), 4),
        ("p/s", Period(date(2026, 2, 23), DAY), Period(date(2026, 2, 1), date(2026, 2, 22)), 1),
        ("edge/edges", LAST_DAYS, Period(date(1, 1, 1), DAY), 4),
        ("edge/beyond", Period(DAY, DAY), WEEK_BEFORE, 0),
        ("long/long", Period(NINTH, NINTH), Period(EIGHTH, EIGHTH), 9),
        ("long/long", Period(date(1995, 1, 1), date(2001, 6, 1)), Period(date.min, date.min), 11),
    ],
)
def test_two_periods_are_what_the_oracle_says(
    shown: TestClient,
    built: Warehouse,
    of_sync: str,
    later: Period,
    earlier: Period,
    pattern_count: int,
) -> None:
    sync = dict(zip(("organization_id", "sync_id"), of_sync.split("/"), strict=True))
    oracle = compute_answers(read_lake(built.lake), lake.NOW)
    days, failures, patterns = (
        [
            one
            for one in oracle[name]
            if (one["organization_id"], one["sync_id"]) == (*sync.values(),)
        ]
        for name in ("sync_activity_daily", "record_failures", "error_patterns")
    )
    dates = (later.first, later.last, earlier.first, earlier.last)
    given = {name: day.isoformat() for name, day in zip(DATES, dates, strict=True)}
    page = data(shown, "/periods", **sync, **given)
    counts = {one["measure"]: one for one in page["counts"]}
    measures = {**periods_page.MEASURES, **periods_page.MOVES}
    summed = {name: one for name, one in measures.items() if one != "open_failure_count"}
    for name, period in (("count", later), ("before_count", earlier)):
        expected = by_hand.sums(days, period, *summed.values())
        for measure, column in summed.items():
            # entries and exits are not shown of a sync that has none
            if measure in counts or expected[column]:
                assert counts[measure][name] == expected[column], measure
    compared = {
        one["failure_pattern"]: tuple(one[name] for name in COLUMNS_OF_CHANGE)
        for one in page["patterns"]
    }
    assert compared == by_hand.change_of_patterns(failures, patterns, later, earlier)
    assert len(compared) == pattern_count


def test_a_run_in_progress_grows(
    shown: TestClient, built: Warehouse, warehouse: SessionWarehouse
) -> None:
    """Also: the next page tells a reader that a build has committed meanwhile."""
    # this page is from the previous build
    later = client_of(Answers(warehouse, Mask()))
    page = data(later, "/run", **THIRD)
    assert found_rows(page["records"]) == expected_rows(lake.IN_PROGRESS)
    assert "This run is in progress" in later.get("/run", params=THIRD).text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_page, "ROWS", 1)
        key = data(later, "/run", **THIRD)["after"]
    lake.write_lake(built.lake, lake.LATER)
    assert built.builds(AS_OF), built.failures()
    after = client_of(Answers(warehouse, Mask()))
    grown = data(after, "/run", **THIRD)
    assert found_rows(grown["records"]) == expected_rows(lake.IN_PROGRESS + lake.MORE_IN_PROGRESS)
    assert grown["load_id"] != page["load_id"]
    paged = after.get("/run", params={**THIRD, "after": key})
    assert "A build has committed since the previous page" in paged.text
    assert "A build has committed" not in after.get("/run", params=THIRD).text


@pytest.mark.parametrize(
    ("page", "parameters", "status", "words"),
    [
        ("/run", FIRST | {"colour": "red"}, 400, "does not know the parameter 'colour'"),
        ("/run", FIRST | {"status": "Refused"}, 400, "expected one of: Success, Rejected"),
        ("/run", FIRST | {"after": "zz"}, 400, "is not from a link of this page"),
        ("/run", SYNC, 400, "needs the parameter 'sync_run_id'"),
        ("/run", FIRST | {"sync_run_id": "9"}, 404, "There is no run '9'"),
        ("/sync", SYNC | {"sync_id": "zz"}, 404, "There is no sync 'zz'"),
        ("/audience", SYNC | {"at": "noon"}, 400, "expected a time such as"),
        ("/audience", SYNC | {"at": ""}, 400, "expected a time such as"),
        ("/record", {"organization_id": "o", "identifier": "zz"}, 404, "No record of"),
        ("/", {"status": "zz"}, 400, "expected one of: succeeded"),
        ("/alerts", {"status": "zz"}, 400, "expected one of: open, all"),
        ("/builds", {"x": "1"}, 400, "It takes: none"),
        ("/nowhere", {}, 404, "There is no page '/nowhere'"),
        ("/run/records.csv", FIRST | {"sync_run_id": "9"}, 404, "There is no run '9'"),
        ("/run/records.csv", FIRST | {"after": "x"}, 400, "does not know the parameter 'after'"),
    ],
)
def test_bad_requests_get_a_clear_message(
    shown: TestClient, page: str, parameters: dict[str, str], status: int, words: str
) -> None:
    response = shown.get(page, params=parameters)
    assert response.status_code == status
    assert words.replace(
        "'", "&#39;" if "text/html" in response.headers["content-type"] else "'"
    ) in (response.text)


def test_a_parameter_given_twice_is_refused(shown: TestClient) -> None:
    response = shown.get("/?text=a&text=b")
    assert response.status_code == 400


def test_pages_send_restrictive_headers(shown: TestClient) -> None:
    for page in (
        "/",
        "/alerts",
        "/errors",
        "/failures",
        "/builds",
        "/nowhere",
        "/static/style.css",
    ):
        headers = shown.get(page).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
    assert shown.get("/", headers={"host": "evil.example"}).status_code == 400
    assert shown.post("/").status_code == 405


def test_hashed_identifiers_never_appear_in_clear(warehouse: SessionWarehouse) -> None:
    with masked(warehouse, "identifiers:hashed,payload:email") as client:
        page = client.get("/run", params={**FIRST, "status": "Rejected"}).text
        whole = client.get("/run", params=FIRST).text
        assert "Errors of this run" in whole
        for secret in ("worse", "bad@x"):
            assert secret not in page
            assert secret not in whole
        asked = client.get("/run", params={**FIRST, "identifier": "worse"})
        assert asked.status_code == 303
        assert "worse" not in asked.headers["location"]
        found = data(client, "/run", **FIRST, identifier=hashed("worse"))["records"]
        assert [one["identifier"] for one in found] == [hashed("worse")]
        assert json.loads(found[0]["record_payload"]) == {"email": HIDDEN}
        assert found[0]["failure_reason"] == f"email {HIDDEN} is not known"
        record = data(client, "/record", organization_id="o", identifier=hashed("007"))
        assert len(record["records"]) == 3
        for kind in ("csv", "jsonl"):
            text = client.get(f"/run/records.{kind}", params=FIRST).text
            assert "worse" not in text
            assert hashed("worse") in text
        for page in ("/", "/alerts?status=all", "/errors", "/errors?status=all", "/failures"):
            assert "worse" not in client.get(page).text
        assert (
            "only here" not in client.get("/audience", params=SYNC | {"organization_id": "p"}).text
        )
        prefix = client.get("/run", params={**FIRST, "identifier_prefix": "wo"})
        assert prefix.status_code == 400


def test_hidden_identifiers_cannot_be_queried(warehouse: SessionWarehouse) -> None:
    with masked(warehouse, "identifiers:hidden") as client:
        rows = data(client, "/run", **FIRST)["records"]
        assert {one["identifier"] for one in rows} == {HIDDEN, None}
        assert client.get("/run", params={**FIRST, "identifier": "bad"}).status_code == 400


def typed(warehouse: SessionWarehouse, *command: str) -> int:
    """The exit code of a command, on the warehouse of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking, "warehouse_of", lambda given, may_start: warehouse)
        return commands.main(command)


def test_the_terminal_shows_the_same(
    warehouse: SessionWarehouse, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    run = ("--organization-id", "o", "--sync-id", "s", "--sync-run-id", "1")
    assert typed(warehouse, "records", *run, "--status", "rejected", "--format", "csv") == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert found_rows(csv.DictReader(lines)) == expected_rows(lake.FIRST_RUN, status="Rejected")
    file = tmp_path / "rows.parquet"
    told = ("--format", "parquet", "--out", str(file), "--rows", "1000")
    assert typed(warehouse, "records", *run, *told) == 0
    assert found_rows(pq.read_table(file).to_pylist()) == expected_rows(lake.FIRST_RUN)
    assert typed(warehouse, "records", *run) == 0
    table = capsysbinary.readouterr().out.decode()
    # a terminal would interpret it
    assert "\u202e" not in table
    assert "<U+202E>abc" in table
    assert typed(warehouse, "records", "--sync-id", "s") == 1
    assert capsysbinary.readouterr().err.decode() == (
        "sync-logs: 2 organisations have a sync 's' (o, p): add --organization-id.\n"
    )
    for command in (
        ("syncs",),
        ("errors",),
        ("errors", "--failure-pattern", "email <email> is not known"),
        ("errors", "--organization-id", "o", "--sync-id", "s"),
        ("failures",),
        ("builds",),
        ("runs", *run[:4]),
        ("members", *run[:4]),
    ):
        assert typed(warehouse, *command) == 0, command
        assert b"No rows." not in capsysbinary.readouterr().out
    record = ("record", "--organization-id", "o", "--identifier", "007", "--format", "jsonl")
    assert typed(warehouse, *record) == 0
    rows = map(json.loads, capsysbinary.readouterr().out.decode().splitlines())
    assert {row["sync_run_id"] for row in rows} == {"1", "2", "3"}


def test_the_report_is_self_contained(warehouse: SessionWarehouse, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert typed(warehouse, "report", "--out", str(file)) == 0
    text = file.read_text("utf-8")
    assert "default-src 'none'; style-src 'sha256-" in text
    for mark in ("<script", "<img", "<link", " src=", "@import", "url(http"):
        assert mark not in text
    assert "Customers &lt;/script&gt;" in text
    assert text.count("<svg") == 8, "outcomes of five syncs, and the audiences of three"
    assert len(text) < 1_000_000
    assert "email &lt;email&gt; is not known" in text
    assert "email worse@x" not in text


def test_literals_give_the_same_rows_as_bound_values(
    warehouse: SessionWarehouse, built: Warehouse
) -> None:
    """A question is asked with literals; it gives the same rows with Spark's parameters."""

    def read(session: Any, query: Query) -> Any:
        return session.sql(query.sql, args=dict(query.arguments)).toArrow()

    bound = SessionWarehouse(
        lambda: SparkSession.builder.getOrCreate().newSession(), built.schema, "this process", read
    )
    sync, run = Sync("o", "s"), Run("o", "s", "1")
    record = Record("o", "o'brien\\", False)
    hostile = RecordFilters("Success", "upsert", "", "o'brien\\", "o'")
    at = 1772350000000000
    weeks = (
        Period(date(2026, 2, 26), date(2026, 3, 4)),
        Period(date(2026, 1, 1), date(2026, 2, 1)),
    )
    questions = [
        catalog.records(run, RecordFilters(identifier=hashed("bad")), None, 10, True, None),
        catalog.records(run, hostile, Position(0, "a", 0), 10, False, 100),
        *(
            catalog.trends(),
            catalog.runs(sync, (3, "1"), 5),
            catalog.record_counts(run, hostile, False),
        ),
        *(catalog.history_of_record(record, 5, 9), catalog.audience_size(sync, at)),
        *(catalog.members(sync, at, "1", 5, True), catalog.errors("o", None, 9, "")),
        *(catalog.alerts("o", "s", True, at, 9), catalog.alerts(None, None, False, None, 9)),
        *(catalog.error_patterns("o", None, "", 9, "s"), catalog.health(sync)),
        catalog.error_patterns(None, None, None, 9, None, Order(None, "first_seen", 2)),
        catalog.pattern_counts("o", "", "s"),
        *(catalog.errors(None, None, 9, None, "s"), catalog.error_categories(None, None, 9, "s")),
        *(catalog.organizations_of_record("o'brien\\", False, 9),),
        *(catalog.organizations_of_record(hashed("bad"), True, 9),),
        *(catalog.patterns_of_runs(run, "2", 9), catalog.failures(None, None, 9)),
        *(catalog.errors_of_run(run, 9, 99), catalog.data_until()),
        *(catalog.payload_fields(sync, 9), catalog.payload_changes(sync, 9)),
        *(catalog.payload_examples(run, 9), catalog.periods(sync, *weeks)),
        catalog.patterns_of_periods(sync, *weeks, 9),
        catalog.changes_of_periods(sync, *weeks, 9),
        catalog.gaps(f"{built.schema}.gap_counts", "o", None, 9),
    ]
    SparkSession.builder.getOrCreate().sql(
        f"""create or replace view {built.schema}.gap_counts as select 'o' as organization_id,
        's' as sync_id, 'missing' as gap, 'failing' as reason, 2L as record_count,
        '[]' as sample_identifiers, cast(null as timestamp) as since_at,
        timestamp '2026-01-01' as data_until_at"""
    )
    for question in questions:
        assert warehouse.ask(question).to_pylist() == bound.ask(question).to_pylist(), question
    assert len(warehouse.ask(questions[0]).to_pylist()) == 1
    assert len(warehouse.ask(questions[-1]).to_pylist()) == 1


def test_the_rows_of_a_sync_are_among_those_of_all_syncs(warehouse: SessionWarehouse) -> None:
    rows = warehouse.ask(catalog.syncs()).to_pylist()
    assert len(rows) > 2
    found = 0
    for organization_id, sync_id in ((one["organization_id"], one["sync_id"]) for one in rows):
        run = catalog.run(Run(organization_id, sync_id, "1"))
        sync = Sync(organization_id, sync_id)
        of_sync = (*sync_page.questions(sync), *sync_page.payload_questions(sync))
        for query in (*of_sync, failures.question(organization_id, sync_id), run):
            assert query.part_of, query
            whole = warehouse.ask(query.part_of.whole)
            part = rows_among(whole, query)
            own = warehouse.ask(query).to_pylist()
            found += len(own)
            # without its row, the run must be asked for
            assert (part.to_pylist() if part is not None else []) == own, query
    assert found > 20
