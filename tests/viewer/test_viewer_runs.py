"""The page of a run, without Spark: its counts, its errors, and another run beside it."""

import html
import re
from typing import Any

import pytest
from markupsafe import escape

from sync_logs_viewer.masks import HIDDEN, hashed
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.web.parameters import address, key_of
from viewer.fake_warehouse import ERROR_OF_RUN, RUN, TellingWarehouse, Without
from viewer.reading import ABOUT, OF_RUN, OF_RUNS, cells, opened


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
