"""Each number of a page is in its own column, and lists go on where the last page ended."""

from typing import Any

import pytest

from sync_logs_viewer.web.parameters import key_of
from viewer.fake_warehouse import (
    BUILD,
    DAY,
    ERROR,
    FAILURE,
    MEMBER,
    PATTERN,
    RUN,
    STATISTICS,
    TellingWarehouse,
)
from viewer.reading import ABOUT, OF_RUN, cells, opened

COUNTS = {
    **{"open_record_count": 3, "record_count": 5, "attempt_count": 7, "sync_count": 9},
    **{"failure_reason_count": 11, "run_count": 13},
}
OF_DAY = {
    **{"run_count": 3, "planned_count": 50, "succeeded_count": 30, "failed_count": 11},
    **{"invalid_count": 4, "aborted_count": 9, "entry_count": 6, "exit_count": 5},
}
OF_BUILD = {
    **{"duration_seconds": 65.0, "new_file_count": 3, "changed_file_count": 4},
    **{"landed_record_count": 5, "replayed_run_count": 6},
}
OF_FAILURE = {"failed_run_count": 3, "runs_without_attempt": 4}
OF_SYNC = {
    **{"attempted_count": 40, "succeeded_count": 30, "open_record_count": 3, "member_count": 8},
}
OF_PATTERN = {"failure_pattern": "<id> is refused"}


@pytest.mark.parametrize(
    ("path", "given", "name", "row", "part"),
    [
        ("/errors", {}, "error_patterns", PATTERN | COUNTS, ["refused", "3", "5", "11", "13"]),
        ("/errors", OF_PATTERN, "errors", ERROR | COUNTS, ["Customers", "3", "5", "7"]),
        ("/errors", {}, "error_categories", ERROR | COUNTS, ["refused", "3", "5", "9"]),
        ("/sync", ABOUT, "activity", DAY | OF_DAY, ["3", "50", "30", "7", "4", "9"]),
        ("/audience", ABOUT, "activity", DAY | OF_DAY, ["2026-03-01", "6", "5"]),
        ("/builds", {}, "builds", BUILD | OF_BUILD, ["1 min 5 s", "build", "3", "4", "5", "6"]),
        ("/failures", {}, "failures", FAILURE | OF_FAILURE, ["2026-03-01", "3"]),
        ("/failures", {}, "failures", FAILURE | OF_FAILURE, ["an older version", "4"]),
        ("/", {}, "syncs", STATISTICS | OF_SYNC, ["75 %", "3 oldest: 2026-03-01"]),
        ("/", {}, "syncs", STATISTICS | OF_SYNC, ["crm", "8"]),
    ],
)
def test_each_number_is_in_its_column(
    path: str, given: dict[str, str], name: str, row: dict[str, Any], part: list[str]
) -> None:
    found = cells(opened(path, TellingWarehouse(**{name: [row]}), **given).text)
    assert any(one[n : n + len(part)] == part for one in found for n in range(len(one)))


def test_runs_go_on_where_the_last_page_ended() -> None:
    runs = [{**RUN, "sync_run_id": f"r{n}", "run_position": 100 - n} for n in range(51)]
    after = opened("/sync.json", TellingWarehouse(runs=runs), **ABOUT).json()["after"]
    warehouse = TellingWarehouse()
    assert "Earlier runs" in opened("/sync", warehouse, **ABOUT, after=after).text
    asked = warehouse.last("runs")
    assert (asked["before_position"], asked["after_run"], asked["rows_by_sync"]) == (51, "r49", 51)
    last = TellingWarehouse(runs=runs[:50])
    assert opened("/sync.json", last, **ABOUT).json()["after"] is None


def test_members_go_on_where_the_last_page_ended() -> None:
    members = [{**MEMBER, "row_id": f"{n:03}"} for n in range(101)]
    data = opened("/audience.json", TellingWarehouse(members=members), **ABOUT).json()
    assert len(data["members"]) == 100
    warehouse = TellingWarehouse()
    newer = "A build has committed"
    assert newer not in opened("/audience", warehouse, **ABOUT, after=data["after"]).text
    assert warehouse.last("members")["after_identifier"] == "099"
    of_another_build = {**ABOUT, "after": key_of("other", "099")}
    assert newer in opened("/audience", warehouse, **of_another_build).text
    last = TellingWarehouse(members=members[:100])
    assert opened("/audience.json", last, **ABOUT).json()["after"] is None


def test_an_operation_without_a_name_is_none_that_was_left_out() -> None:
    row = {"display_status": "Success", "row_count": 1, "operation_count": 2}
    counts = [{**row, "operation": one} for one in ("", "upsert")]
    page = opened("/run", TellingWarehouse(record_counts=counts), **OF_RUN).text
    assert "most common operations" not in page
