"""The page of a run: its rows, filters, pages and downloads."""

import csv
import io
import json
import re
from typing import Any

import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

from helpers import viewer_lake as lake
from sync_logs_viewer.questions import RecordFilters, Run, catalog
from sync_logs_viewer.warehouse import SessionWarehouse
from sync_logs_viewer.web.routes import run as run_page
from viewer.pages.conftest import FIRST, SECOND, SYNC, data, expected_rows, found_rows


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
