"""A state of an older version is migrated; a state of a newer version stops dbt with one line."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from builds.former_states import (
    forget_columns,
    move_rows,
    publish_as_version,
    stored_load,
    write_columns,
    write_deltas,
)
from conftest import Warehouse
from helpers.compared_tables import differing_tables
from helpers.old_state import commit, restore, unpack
from helpers.retained_warehouse import variables
from helpers.source_tables import put
from helpers.writeback_tables import SYNC_LOG
from oracle import COLUMNS, Lake, Step, apply_step, compute, merge, read_lake
from oracle.building import at, batch, row, sent
from oracle.random_words import DAY_ONE
from oracle.writing import ParquetFile, parquet

NOW = DAY_ONE + timedelta(minutes=400)
NEW_RUN = parquet(sent("1", 350, "a", organization="new"))


@pytest.fixture
def old(warehouse: Callable[[], Warehouse], home: Path, tmp_path: Path) -> Warehouse:
    """A warehouse as version 1 left it."""
    built = warehouse()
    unpack(tmp_path)
    # dbt starts the catalog of the process
    assert built.operation("sync_logs_doctor"), built.failures()
    restore(built.schema, home, tmp_path)
    return built


def test_a_build_migrates_an_old_state_and_leaves_a_newer_one_alone(old: Warehouse) -> None:
    # the lake has a different path, as in a copied warehouse
    assert not old.operation("sync_logs_compact", variables(NOW))
    assert "Run `dbt build` once, which migrates it" in old.failures()

    # the model that should have read these files may have failed, so they are read once more
    faulty = [
        row
        for row in old.rows("int_files__landed", "_state")
        if row["load_id"] == stored_load(old) and row["issue"] and row["file_kind"] != "other"
    ]
    assert faulty
    before = read_lake(old.lake)
    apply_step(old.lake, Step((NEW_RUN,), (), NOW))
    assert old.dbt("run", variables=variables(NOW)), old.failures()
    check(old, merge(before, read_lake(old.lake)))
    # a table that only older versions have is dropped once this version has committed
    assert "int_outcomes__final" not in tables_of(old)
    (load,) = [row for row in old.rows("sync_loads") if row["new_file_count"] == 1]
    assert load["changed_file_count"] == len(faulty)
    assert load["landed_record_count"] == 1 + sum(row["record_count"] or 0 for row in faulty)

    assert old.operation("sync_logs_compact", variables(NOW)), old.failures()
    check(old, read_lake(old.lake))
    assert old.operation("sync_logs_collect", keep_previous=False), old.failures()
    check(old, read_lake(old.lake))
    assert old.dbt("run", "--full-refresh", variables=variables(NOW)), old.failures()
    check(old, read_lake(old.lake))

    commit(old.schema, "'a_load' as load_id, 99 as schema_version")
    assert not old.dbt("run", variables=variables(NOW))
    assert "was written by a newer sync_logs (version 99 of the state" in old.failures()


def test_a_checkpoint_that_had_only_changes_gets_all_records(
    warehouse: Callable[[], Warehouse],
) -> None:
    built = warehouse()
    apply_step(built.lake, Step((run("1", 100, a="succeeded", b="failed", d="failed"),), (), NOW))
    apply_step(built.lake, Step((run("2", 200, b="failed", c="succeeded"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    write_deltas(built)

    apply_step(built.lake, Step((run("3", 350, c="succeeded"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))
    (errors,) = built.rows("errors_by_sync")
    assert (errors["record_count"], errors["attempt_count"]) == (2, 3)


def test_a_build_of_some_models_leaves_an_old_state_alone(
    warehouse: Callable[[], Warehouse],
) -> None:
    """It would replace views, which then read columns that no commit has filled."""
    built = warehouse()
    apply_step(built.lake, Step((run("1", 100, a="succeeded", b="failed"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    forget_columns(built, "int_runs__published", ("last_checkpoint_position", "replaced_at"))

    assert not built.dbt("run", "--select", "int_record_states__live", variables=variables(NOW))
    assert "Run `dbt build` once, which migrates it" in built.failures()
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))


def test_landed_rows_of_three_tables_are_in_one(warehouse: Callable[[], Warehouse]) -> None:
    """A migration that was killed after it had copied the first table is run again."""
    built = warehouse()
    files = (
        run("1", 100, a="succeeded", b="failed"),
        run("2", 200, b="succeeded", c="failed"),
        run("3", 300, a="failed"),
        *(names("a", "of a file"), names("b", "of another file")),
    )
    apply_step(built.lake, Step(files, (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    second, third = "sync_run_id = '2'", "sync_run_id = '3'"
    move_rows(built, "int_records__landed", "int_records__recovered", second)
    move_rows(built, "int_records__landed", "int_records__received", third)
    move_rows(built, "int_facts__landed", "int_facts__recovered", "file_name like '%_b.parquet'")
    publish_as_version(14, built)
    session, state = SparkSession.builder.getOrCreate(), f"{built.schema}_state"
    columns = ", ".join(session.table(f"{state}.int_records__recovered").columns)
    session.sql(
        f"insert into {state}.int_records__landed ({columns}) "
        f"select {columns} from {state}.int_records__recovered"
    )

    apply_step(built.lake, Step((run("4", 350, c="succeeded"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))
    assert len(built.rows("int_facts__landed", "_state")) == 2
    assert built.dbt("run", "--full-refresh", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))
    assert not {one for one in tables_of(built) if one.endswith(("__recovered", "__received"))}


def names(suffix: str, name: str) -> ParquetFile:
    """A file of names of destinations."""
    return ParquetFile(
        f"metadata/new/destinations_{suffix}.parquet", ("id", "name"), ({"id": "1", "name": name},)
    )


def test_the_sources_of_runs_become_a_table(warehouse: Callable[..., Warehouse]) -> None:
    built = warehouse("sources_in_columns")
    built.start_spark()
    row = {"log_id": "1", "sync_id": 1, "sync_run_id": 5, "record_identifier": "b"}
    row |= {"operation": "upsert", "status": "rejected", "batch_completed_at": at(1)}
    put("census_14.sync_log", SYNC_LOG, [row])
    apply_step(built.lake, Step((run("1", 100, a="succeeded", b="failed"),), (), NOW))
    lake = {"name": "bucket", "type": "census_lake", "path": str(built.lake)}
    table = {"name": "wb", "type": "census_writeback", "schema": "census_14"}
    assert built.dbt("run", variables=with_sources(lake, table)), built.failures()
    shown = shown_of_sources(built)
    assert {one["source_name"] for one in shown["sync_statistics"]} == {"bucket", "wb"}
    assert {one["invalid_rate"] for one in shown["sync_statistics"]} == {0, None}
    write_columns(built)

    # nothing is read or computed again, and a source that is not in the settings keeps its name
    assert built.dbt("run", variables=with_sources(lake)), built.failures()
    assert shown_of_sources(built) == shown
    load = max(built.rows("sync_loads"), key=lambda one: str(one["started_at"]))
    assert (load["landed_record_count"], load["replayed_run_count"]) == (0, 0)

    # an operation copies no column that only the old state has
    purged = {"organization_id": "new", "identifier": "c", "in_advance": True}
    assert built.operation("purge_record", with_sources(lake), **purged), built.failures()
    assert shown_of_sources(built) == shown


def with_sources(*sources: object) -> str:
    """The dbt vars of a project with these sources."""
    return json.dumps({**json.loads(variables(NOW)), "sync_logs_sources": sources})


def shown_of_sources(built: Warehouse) -> dict[str, list[dict[str, object]]]:
    """Documented tables of every kind that names the source of its rows."""
    tables = ("sync_runs", "sync_records", "sync_snapshot", "sync_statistics", "errors_by_sync")
    return {table: sorted(built.rows(table), key=str) for table in tables}


def run(run_id: str, minute: int, **statuses: str) -> ParquetFile:
    """A batch of a run of one sync, with a status for each record."""
    rows = [row(one, "upsert", status, ended=minute) for one, status in statuses.items()]
    return parquet(batch(run_id, *rows, organization="new"))


def tables_of(built: Warehouse) -> set[str]:
    """Names of the tables and views of the state."""
    listed = SparkSession.builder.getOrCreate().sql(f"show tables in {built.schema}_state")
    return {row["tableName"] for row in listed.collect()}


def check(built: Warehouse, lake: Lake) -> None:
    """Assert that every table matches the specification."""
    assert differing_tables(compute(lake, NOW), built.tables(COLUMNS), COLUMNS) == {}
