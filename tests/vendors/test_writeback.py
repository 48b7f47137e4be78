"""Tables of Census Warehouse Writeback as a source, beside others: expected by hand."""

from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest

from conftest import Warehouse
from helpers.source_tables import put, with_sources
from helpers.writeback_tables import SYNC_LOG
from vendors.three_builds import ThreeBuilds, shown
from vendors.writeback_logs import DAY, SCHEMA, SOURCE, row

MISNAMED = {"sync_changelog": f"{SCHEMA}.sync_log"}
WRITEBACK = "wb"


def test_late_rows_are_added_and_doubled_rows_count_once(builds: ThreeBuilds) -> None:
    log = {one["log_id"]: one for one in builds.rows(1, "sync_log", WRITEBACK)}
    assert set(log) == {"l1", "l2"}
    assert log["l2"]["status_message"] == "no"
    assert log["l1"]["_census_logged_at"] == DAY + timedelta(days=1, hours=1)
    assert log["l1"]["destination_id"] is None

    later = builds.rows(2, "sync_log", WRITEBACK)
    assert {one["log_id"] for one in later} == {"l1", "l2", "l3"}
    assert {one["destination_id"] for one in later} == {"7"}
    assert shown(builds.rows(2, "sync_changelog", WRITEBACK), "row_id", "status") == [
        ("a", "succeeded"),
        ("b", "succeeded"),
    ]


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        ([{**SOURCE, "schema": "nowhere"}], "nowhere.sync_log cannot be read"),
        (
            [{**SOURCE, "type": "hightouch", "relations": MISNAMED}],
            "needs the columns row_id, op_type in census.sync_log, which has log_id, sync_id",
        ),
    ],
)
def test_an_unsound_source_stops_the_build_with_one_line(
    warehouse: Callable[..., Warehouse], sources: list[Mapping[str, object]], told: str
) -> None:
    built = warehouse("unsound")
    built.start_spark()
    put(f"{SCHEMA}.sync_log", SYNC_LOG, [row("l1", 5, "a", "succeeded", 1)])
    assert not built.dbt("run", variables=with_sources(*sources))
    assert told in " ".join(f"{built.exception} {built.said} {built.failures()}".split())
