"""A lake and two vendors in one set of tables; sources that are switched off and renamed."""

from collections.abc import Callable, Mapping

from conftest import Warehouse
from helpers.hightouch_tables import CHANGELOG
from helpers.source_tables import put, with_sources
from helpers.writeback_tables import SYNC_LOG
from oracle import Step, apply_step
from oracle.building import at, sent
from oracle.writing import parquet
from vendors.writeback_logs import SCHEMA, row
from vendors.writeback_logs import SOURCE as WRITEBACK


def test_a_lake_and_two_vendors_are_in_one_set_of_tables(
    warehouse: Callable[..., Warehouse],
) -> None:
    built = warehouse("all_sources")
    built.start_spark()
    put(f"{SCHEMA}.sync_log", SYNC_LOG, [row("l1", 5, "a", "succeeded", 1)])
    changed = {"sync_id": 1, "sync_run_id": 5, "op_type": "added", "row_id": "a"}
    put("audit.sync_changelog", CHANGELOG, [{**changed, "status": "succeeded"}])
    file = parquet(sent("5", 1, "a", organization="org", sync="1"))
    apply_step(built.lake, Step((file,), (), at(100)))
    hightouch = {
        "name": "ht",
        "type": "hightouch",
        "relations": {"sync_changelog": "audit.sync_changelog"},
    }
    lake = {"name": "lake", "type": "census_lake", "path": str(built.lake)}
    given = with_sources(lake, WRITEBACK, hightouch)
    assert built.dbt("run", variables=given), built.failures()
    log = built.rows("sync_log")
    assert {(one["organization_id"], one["record_identifier"]) for one in log} == {
        ("org", "a"),
        ("wb", "a"),
        ("ht", "a"),
    }

    assert built.operation("sync_logs_doctor", given), built.failures()
    told = {" ".join(line.split()) for line in "\n".join(built.said).splitlines()}
    assert "wb census_writeback, organization_id wb" in told
    lacks = "source_id, source_object_id, destination_id, destination_object_id"
    assert f"wb sync_log census.sync_log, without {lacks}" in told
    assert "ht sync_runs no relation, not found" in told

    claimed = with_sources(lake, {**WRITEBACK, "organization_id": "org"})
    assert not built.dbt("run", variables=claimed)
    assert "organisation org, which the source wb claims too" in built.failures()
    assert len(built.rows("sync_log")) == 3

    # a source that is switched off keeps its rows; one that comes back is not read again
    named = {("org", "lake", "census"), ("wb", "wb", "census"), ("ht", "ht", "hightouch")}
    assert built.dbt("run", variables=with_sources(lake)), built.failures()
    assert len(built.rows("sync_log")) == 3
    assert sources_of(built) == named
    assert built.dbt("run", variables=given), built.failures()
    assert len(built.rows("sync_log")) == 3
    assert last_load(built)["landed_record_count"] == 0

    # another name of a source is the name of all its runs, and reads nothing again
    renamed = with_sources({**lake, "name": "bucket"}, WRITEBACK, hightouch)
    for is_news in (True, False):
        assert built.dbt("run", variables=renamed), built.failures()
        assert sources_of(built) - named == {("org", "bucket", "census")}
        load = last_load(built)
        assert (load["landed_record_count"], load["replayed_run_count"]) == (0, 0)
        (current,) = built.rows("sync_load_current", "_state")
        assert (load["load_id"] == current["load_id"]) == is_news


def sources_of(built: Warehouse) -> set[tuple[object, object, object]]:
    """The organisation, the source and the vendor of each run."""
    return {
        (one["organization_id"], one["source_name"], one["vendor"])
        for one in built.rows("sync_runs")
    }


def last_load(built: Warehouse) -> Mapping[str, object]:
    """The last build in `sync_loads`."""
    return max(built.rows("sync_loads"), key=lambda one: str(one["started_at"]))
