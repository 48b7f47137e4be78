"""Errors lead to their rows; two runs and two periods are compared by their errors."""

from datetime import date
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import Warehouse
from helpers import viewer_lake as lake
from oracle.answers import compute_answers
from oracle.lake import read_lake
from sync_logs_viewer.periods import DATES, Period
from sync_logs_viewer.questions import RecordFilters, Run, catalog
from sync_logs_viewer.warehouse import SessionWarehouse
from sync_logs_viewer.web.routes import errors as errors_page
from sync_logs_viewer.web.routes import periods as periods_page
from viewer import periods_by_hand as by_hand
from viewer.pages.conftest import FIRST, SECOND, data, expected_rows


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
