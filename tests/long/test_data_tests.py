"""Each data test of dbt, and the tables of all sources, on one build of a lake and three vendors.

A data test that cannot fail is worth nothing: the SQL of each one, as dbt compiled it, must pass on
the built tables and select rows of damaged ones.
"""

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, TypeVar

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.hightouch_tables import CHANGELOG, RUNS
from helpers.source_tables import put, with_sources
from helpers.writeback_tables import SYNC_LOG
from oracle import Step, apply_step
from oracle.building import at, sent
from oracle.writing import parquet
from vendors.damaged_tables import GENERIC, SINGULAR, Damage, damaged_by, query_of, rows_of
from vendors.rudderstack_logs import SYNC_LOG as RUDDER_LOG
from vendors.writeback_logs import SOURCE as WRITEBACK

Key = TypeVar("Key")
START, END = datetime(2026, 1, 1), datetime(2026, 1, 1, 1)
TABLES = ("sync_changelog", "sync_runs", "sync_snapshot")
HIGHTOUCH = {
    **{"name": "ht", "type": "hightouch"},
    "relations": {table: f"audit.{table}" for table in TABLES},
}
RUDDERSTACK = {"name": "rs", "type": "rudderstack", "schema": "rudder"}


def write_tables() -> None:
    """Two rows of each vendor, one of them twice; the second sync of Hightouch has a snapshot."""
    row: dict[str, object] = {"sync_id": 1, "sync_run_id": 5, "status": "succeeded"}
    logged = {
        **{**row, "operation": "upsert", "record_payload": "{}", "batch_started_at": START},
        **{"batch_completed_at": END, "_census_logged_at": END},
    }
    first = {**logged, "log_id": "l1", "record_identifier": "a"}
    put("census.sync_log", SYNC_LOG, [first, first, {**first, "log_id": "l2"}])
    added = {**row, "op_type": "added", "fields": "{}"}
    first, gone = {**added, "row_id": "a"}, {**added, "op_type": "removed", "row_id": "b"}
    put("audit.sync_changelog", CHANGELOG, [first, first, gone])
    shown = [{**added, "sync_id": 2, "row_id": row_id} for row_id in ("a", "a", "c")]
    put("audit.sync_snapshot", CHANGELOG, shown)
    ran = {**row, "sync_id": 2, "status": "success", "started_at": START, "finished_at": END}
    put("audit.sync_runs", RUNS, [{**ran, "num_planned_add": 2}, {**ran, "sync_id": 1}])
    of_run = {"connection_id": "c", "sync_run_id": "r", "sync_finished_at": END}
    sent = {**of_run, "operation": "insert", "status": "succeeded", "primary_key": "a"}
    put("rudder.sync_log", RUDDER_LOG, [sent, sent, {**sent, "primary_key": "b"}])


@pytest.fixture(scope="module")
def built(module_warehouse: Warehouse) -> Warehouse:
    """A lake with one row, and the tables of all vendors, built with all data tests."""
    module_warehouse.start_spark()
    write_tables()
    file = parquet(sent("5", 1, "a", organization="org", sync="1"))
    apply_step(module_warehouse.lake, Step((file,), (), at(100)))
    given = with_sources(lake(module_warehouse), WRITEBACK, HIGHTOUCH, RUDDERSTACK)
    assert module_warehouse.dbt("build", variables=given), module_warehouse.failures()
    return module_warehouse


def lake(built: Warehouse) -> dict[str, object]:
    """The lake, as a source."""
    return {"name": "lake", "type": "census_lake", "path": str(built.lake)}


@pytest.fixture(scope="module")
def data_tests(built: Warehouse) -> dict[str, Any]:
    """The compiled data tests, by name; the build ran all but those that scan whole tables."""
    given = with_sources(lake(built), WRITEBACK, HIGHTOUCH, RUDDERSTACK)
    tested = [one for one in built.results if one.node.resource_type == "test"]
    # a warning does not fail a build
    assert [one.node.name for one in tested if str(one.status) != "pass"] == []
    ran = {one.node.unique_id for one in tested}
    assert built.dbt("compile", "--select", "test_type:data", variables=given), built.failures()
    nodes = [one.node for one in built.results if one.node.resource_type == "test"]
    scans = {node.unique_id for node in nodes if "full_scan" in node.tags}
    assert {node.unique_id for node in nodes} == ran | scans
    return {node.name: node for node in nodes}


def counted(queries: Mapping[Key, str]) -> dict[Key, int]:
    """How many rows each query selects; Spark plans the next one while it runs one."""
    session = SparkSession.builder.getOrCreate()
    with ThreadPoolExecutor(2) as pool:
        counts = pool.map(lambda query: session.sql(query).count(), queries.values())
        return dict(zip(queries, counts, strict=True))


def damaged(query: str, damage: Damage, schema: str) -> str:
    """The query on damaged tables. Raises AssertionError if it does not read one of them."""
    session = SparkSession.builder.getOrCreate()
    for name, change in damage.items():
        place = re.compile(rf"`?{schema}(?:_\w+)?`?\.`?{name}`?(?!\w)")
        found = place.search(query)
        assert found, f"the test does not read {name}"
        relation = found.group().replace("`", "")
        columns = session.table(relation).schema
        changed = (
            query_of(change, relation, columns)
            if isinstance(change, str)
            else rows_of(change, columns)
        )
        query = query.replace(found.group(), f"({changed})")
    return query


def test_the_data_tests_that_no_build_runs_pass(data_tests: dict[str, Any]) -> None:
    scans = {name: one.compiled_code for name, one in data_tests.items() if "full_scan" in one.tags}
    assert counted(scans) == dict.fromkeys(scans, 0)


def test_each_data_test_fails_on_damaged_tables(
    built: Warehouse, data_tests: dict[str, Any]
) -> None:
    singular = {name for name, node in data_tests.items() if not hasattr(node, "test_metadata")}
    assert set(SINGULAR) == singular
    damages = {
        (name, number): damaged(node.compiled_code, damage, built.schema)
        for name, node in data_tests.items()
        for number, damage in enumerate(SINGULAR.get(name) or damaged_by(node))
    }
    assert {name for name, _ in damages} == set(data_tests)
    kinds = {node.test_metadata.name for name, node in data_tests.items() if name not in singular}
    assert kinds == set(GENERIC)
    assert [name for name, count in counted(damages).items() if count == 0] == []
