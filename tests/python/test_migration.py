"""A state that an older version has written goes on; that of a newer one stops with one line.

`tests/fixtures/state_version_1.tar.gz` is what version 1 left after two builds of a small lake: the
lake, the tables of the state with their columns, and the committed load. It is never made anew.
"""

import json
import shutil
import tarfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from oracle import COLUMNS, Lake, Step, apply_step, compute, merge, read_lake
from oracle.building import at
from oracle.random_words import DAY_ONE
from oracle.writing import ParquetFile
from project import PROJECT
from retained import differing_tables, variables

STORED = PROJECT / "tests" / "fixtures" / "state_version_1.tar.gz"
NOW = DAY_ONE + timedelta(minutes=400)
NEW_RUN = ParquetFile(
    "sync_tracking_datasets/new/s/1/b.1.parquet",
    ("identifier", "operation", "status", "batch_ended_at"),
    ({"identifier": "a", "operation": "upsert", "status": "succeeded", "batch_ended_at": at(350)},),
)


@pytest.fixture
def old(warehouse: Callable[[str], Warehouse], home: Path, tmp_path: Path) -> Warehouse:
    """A warehouse as version 1 left it."""
    built = warehouse("migrated")
    with tarfile.open(STORED) as stored:
        stored.extractall(tmp_path, filter="data")
    # the catalog of the process is started by dbt
    assert built.operation("sync_logs_doctor"), built.failures()
    restore(built.schema, home, tmp_path)
    return built


def restore(schema: str, home: Path, folder: Path) -> None:
    """Put the stored tables into the catalog."""
    session = SparkSession.builder.getOrCreate()
    stored = json.loads((folder / "tables.json").read_text())
    session.sql(f"create schema {schema}_state")
    for table, columns in stored["tables"].items():
        listed = ", ".join(f"{name} {kind}" for name, kind in columns)
        name = f"{schema}_state.{table}"
        session.sql(f"create table {name} ({listed}) using parquet partitioned by (load_id)")
        place = home / "warehouse" / f"{schema}_state.db" / table
        shutil.copytree(folder / "state" / table, place, dirs_exist_ok=True)
        session.sql(f"msck repair table {name}")
    commit(schema, f"'{stored['load_id']}' as load_id")


def commit(schema: str, columns: str) -> None:
    session = SparkSession.builder.getOrCreate()
    session.sql(f"create or replace view {schema}_state.sync_load_current as select {columns}")


def test_an_old_state_is_migrated_by_a_build_and_a_newer_one_is_left_alone(old: Warehouse) -> None:
    # the path of the lake is another one, as in a copied warehouse
    assert not old.operation("sync_logs_compact", variables(NOW))
    assert "Run `dbt build` once, which migrates it" in old.failures()

    before = read_lake(old.lake)
    apply_step(old.lake, Step((NEW_RUN,), (), NOW))
    assert old.dbt("run", variables=variables(NOW)), old.failures()
    check(old, merge(before, read_lake(old.lake)))
    (load,) = [row for row in old.rows("sync_loads") if row["new_file_count"] == 1]
    assert load["changed_file_count"] == 0
    assert load["landed_record_count"] == 1

    assert old.operation("sync_logs_compact", variables(NOW)), old.failures()
    check(old, read_lake(old.lake))
    assert old.operation("sync_logs_collect", keep_previous=False), old.failures()
    check(old, read_lake(old.lake))
    assert old.dbt("run", "--full-refresh", variables=variables(NOW)), old.failures()
    check(old, read_lake(old.lake))

    commit(old.schema, "'a_load' as load_id, 99 as schema_version")
    assert not old.dbt("run", variables=variables(NOW))
    assert "was written by a newer sync_logs (version 99 of the state" in old.failures()


def check(built: Warehouse, lake: Lake) -> None:
    """Assert that every table holds what the specification says."""
    assert differing_tables(COLUMNS, compute(lake, NOW), built.rows, COLUMNS) == {}
