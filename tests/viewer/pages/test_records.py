"""Records in all syncs of their organisation, their failures, and who was in an audience when."""

import re

from markupsafe import escape
from starlette.testclient import TestClient

from conftest import Warehouse
from helpers import viewer_lake as lake
from sync_logs_viewer.web import formats
from sync_logs_viewer.web.parameters import address as address_of
from viewer.pages.conftest import SYNC, data

# the record 007, which is in another organisation too
ELSEWHERE = {"organization_id": "p", "identifier": "007"}


def test_a_record_is_seen_in_all_syncs_of_its_organisation(shown: TestClient) -> None:
    page = data(shown, "/record", organization_id="o", identifier="007")
    assert [one["sync_run_id"] for one in page["records"]] == ["3", "2", "1"]
    assert {one["operation"] for one in page["records"]} == {"upsert", "delete"}
    entered = [
        (one["entered_sync_run_id"], one["exited_sync_run_id"]) for one in page["memberships"]
    ]
    assert sorted(entered, key=str) == [("1", "2"), ("3", None)]
    elsewhere = data(shown, "/record", **ELSEWHERE)
    assert [one["failure_reason"] for one in elsewhere["states"]] == ["not here"]
    assert "1 open error." in shown.get("/record", params=ELSEWHERE).text


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
    assert "still failing" in shown.get("/record", params=ELSEWHERE).text
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
    moved = [one["event_at"] for one in now["events"]]
    assert moved[0] > moved[-1]
    assert moved == sorted(moved, reverse=True)


def test_a_record_says_since_when_it_fails(shown: TestClient, built: Warehouse) -> None:
    (failure,) = data(shown, "/record", **ELSEWHERE)["failures"]
    history = {(row["organization_id"], row["row_id"]): row for row in built.rows("record_history")}
    row = history["p", "007"]
    assert failure["failure_number"] == row["failure_count"] == 1
    assert failure["failure_pattern"] == "not here"
    page = shown.get("/record", params=ELSEWHERE).text
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
