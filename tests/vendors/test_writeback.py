"""Tables of Census Warehouse Writeback as a source, beside others: expected by hand."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import pytest

from conftest import Warehouse
from helpers.source_tables import put, with_sources
from helpers.writeback_tables import IDS, SYNC_LOG

SCHEMA = "census"
DAY = datetime(2026, 1, 1)


def row(
    log_id: str, run: int, identifier: str, status: str, hour: int, **more: object
) -> dict[str, object]:
    """A row of `sync_log`, logged a day after its batch."""
    ended_at = DAY + timedelta(hours=hour)
    return {
        **{"log_id": log_id, "sync_id": 1, "sync_run_id": run, "record_identifier": identifier},
        **{"record_payload": "{}", "operation": "upsert", "status": status},
        **{"batch_started_at": ended_at - timedelta(minutes=1), "batch_completed_at": ended_at},
        **{"_census_logged_at": ended_at + timedelta(days=1), **more},
    }


MISNAMED = {"sync_changelog": f"{SCHEMA}.sync_log"}
WRITEBACK = {"name": "wb", "type": "census_writeback", "schema": SCHEMA}


def test_late_rows_are_added_and_doubled_rows_count_once(
    warehouse: Callable[..., Warehouse],
) -> None:
    built = warehouse("writeback")
    built.start_spark()
    first = [
        row("l1", 5, "a", "succeeded", 1),
        row("l2", 5, "b", "rejected", 1, status_message="no"),
        row("l1", 5, "a", "succeeded", 1),
    ]
    put(f"{SCHEMA}.sync_log", SYNC_LOG, first)
    assert built.dbt("run", variables=with_sources(WRITEBACK)), built.failures()
    log = {one["log_id"]: one for one in built.rows("sync_log")}
    assert set(log) == {"l1", "l2"}
    assert log["l2"]["status_message"] == "no"
    assert log["l1"]["_census_logged_at"] == DAY + timedelta(days=1, hours=1)
    assert log["l1"]["organization_id"] == "wb"
    assert log["l1"]["destination_id"] is None

    # the ids come with another release of the vendor; a row was logged late, another cleaned up
    ids = {"destination_id": 7, "destination_object_id": 8, "source_id": 9, "source_object_id": 10}
    late = [
        row("l3", 5, "b", "succeeded", 2, _census_logged_at=DAY + timedelta(days=9), **ids),
        {**first[1], **ids},
    ]
    put(f"{SCHEMA}.sync_log", SYNC_LOG | IDS, late)
    assert built.dbt("run", variables=with_sources(WRITEBACK)), built.failures()
    assert {one["log_id"] for one in built.rows("sync_log")} == {"l1", "l2", "l3"}
    changelog = {(one["row_id"], one["status"]) for one in built.rows("sync_changelog")}
    assert changelog == {("a", "succeeded"), ("b", "succeeded")}
    assert {one["destination_id"] for one in built.rows("sync_log")} == {"7"}


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        ([{**WRITEBACK, "schema": "nowhere"}], "nowhere.sync_log cannot be read"),
        (
            [{**WRITEBACK, "type": "hightouch", "relations": MISNAMED}],
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
