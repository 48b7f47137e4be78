"""States in Delta Lake or Apache Iceberg, as SYNC_LOGS_FILE_FORMAT says: `make test-engines`.

These tests are about what differs from parquet. The others run on each format too.
"""

import json
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.build_and_read import location, state_tables
from helpers.compared_tables import differing_tables
from helpers.growing_warehouse import times
from helpers.project import FILE_FORMAT
from helpers.random_histories import Remembered, many_histories
from oracle import COLUMNS
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.warehouse import SessionWarehouse

pytestmark = pytest.mark.skipif(
    FILE_FORMAT == "parquet", reason="SYNC_LOGS_FILE_FORMAT is neither delta nor iceberg"
)
AS_OF = times(3)
IDLE_BUILDS = 16
# Each idle build lists its files, drops the list and records itself.
COMMITS_OF_AN_IDLE_BUILD = 5


def given(as_of: datetime, file_format: str = FILE_FORMAT) -> str:
    return json.dumps({"sync_logs_as_of": as_of.isoformat(), "sync_logs_file_format": file_format})


@pytest.fixture
def remembered(tmp_path: Path) -> Remembered:
    return Remembered(tmp_path / "lake")


@pytest.fixture
def steps() -> Any:
    return many_histories(range(40, 43), AS_OF, orderly=range(640, 642)).steps


def check(built: Warehouse, remembered: Remembered, as_of: datetime) -> None:
    tables = built.tables(COLUMNS)
    pages = SessionWarehouse(SparkSession.builder.getOrCreate, built.schema, "this process")
    # with Delta's parser, a question with parameters of Spark has no answer
    assert pages.ask(catalog.builds(1)).num_rows == 1
    assert differing_tables(remembered.tables(as_of), tables, COLUMNS) == {}


def test_a_state_is_copied_to_another_format_and_back(
    warehouse: Callable[[], Warehouse], remembered: Remembered, steps: Any
) -> None:
    built = warehouse()
    session = SparkSession.builder.getOrCreate
    remembered.step(steps[0])
    assert built.dbt("run", variables=given(AS_OF[0], "parquet")), built.failures()
    check(built, remembered, AS_OF[0])

    assert not built.dbt("run", variables=given(AS_OF[0]))
    assert f"has the format parquet, but sync_logs_file_format is {FILE_FORMAT}" in built.failures()
    assert "dbt run-operation sync_logs_convert" in built.failures()

    for file_format, step in ((FILE_FORMAT, steps[1]), ("parquet", steps[2])):
        state = f"{built.schema}_state"
        # as if it had been killed between its last two statements
        assert built.operation("sync_logs_convert", given(AS_OF[0], file_format))
        copy = f"{state}.int_files__planned__as_{file_format}"
        session().sql(f"alter table {state}.int_files__planned rename to {copy}")
        assert not built.dbt("run", variables=given(step.as_of, file_format))
        assert "was not copied completely" in built.failures()
        assert built.operation("sync_logs_convert", given(AS_OF[0], file_format))
        assert f"1 tables of {state} were copied" in built.said[-1]

        remembered.step(step)
        assert built.dbt("run", variables=given(step.as_of, file_format)), built.failures()
        check(built, remembered, step.as_of)
        tables = session().sql(f"show tables in {state}").collect()
        assert [row["tableName"] for row in tables if "__as_" in row["tableName"]] == []


def test_a_state_of_an_older_version_gets_the_missing_columns(
    warehouse: Callable[[], Warehouse], remembered: Remembered, steps: Any
) -> None:
    built = warehouse()
    session = SparkSession.builder.getOrCreate
    remembered.step(steps[0])
    assert built.dbt("run", variables=given(AS_OF[0])), built.failures()

    # version 9 had no such column
    planned = f"{built.schema}_state.int_files__planned"
    kept = [name for name in session().table(planned).columns if name != "previous_load_id"]
    create = f"using {FILE_FORMAT} partitioned by (load_id) as select {', '.join(kept)}"
    session().sql(f"create table {planned}_9 {create} from {planned}")
    session().sql(f"drop table {planned} purge")
    session().sql(f"alter table {planned}_9 rename to {planned}")
    current = f"{built.schema}_state.sync_load_current"
    row = session().table(current).collect()[0].asDict() | {"schema_version": 9}
    literals = {
        name: json.dumps(value) if isinstance(value, bool | int) else f"'{value}'"
        for name, value in row.items()
    }
    values = ", ".join(f"{value} as {name}" for name, value in literals.items())
    session().sql(f"create or replace view {current} as select {values}")

    remembered.step(steps[1])
    assert built.dbt("run", variables=given(AS_OF[1])), built.failures()
    check(built, remembered, AS_OF[1])
    assert "previous_load_id" in session().table(planned).columns


def test_readers_during_a_build_see_one_load(
    warehouse: Callable[[], Warehouse], remembered: Remembered, steps: Any
) -> None:
    built = warehouse()
    seen: set[int] = set()
    faults: list[Exception] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            try:
                seen.add(len(built.rows("sync_records")))
            except Exception as error:
                faults.append(error)
                return

    counts = []
    for number, step in enumerate(steps):
        remembered.step(step)
        reader = threading.Thread(target=read)
        if number:
            reader.start()
        assert built.dbt("run", variables=given(step.as_of)), built.failures()
        counts.append(len(built.rows("sync_records")))
        ended.set()
        if number:
            reader.join()
        ended.clear()
    assert faults == []
    assert len(set(counts)) == len(counts)
    assert seen <= set(counts)
    assert len(seen) > 1


def test_the_log_of_idle_builds_ends_growing(
    warehouse: Callable[[], Warehouse], remembered: Remembered, steps: Any
) -> None:
    built = warehouse()
    remembered.step(steps[0])
    assert built.dbt("run", variables=given(AS_OF[2])), built.failures()
    sizes = []
    for _ in range(IDLE_BUILDS):
        assert built.dbt("run", variables=given(AS_OF[2])), built.failures()
        sizes.append(commits())
    if FILE_FORMAT == "iceberg":
        assert max(sizes) <= sizes[0] + 3 * (20 + COMMITS_OF_AN_IDLE_BUILD), sizes
        assert max(sizes[-3:]) <= max(sizes[:-3]) + COMMITS_OF_AN_IDLE_BUILD, sizes
    else:
        # Delta deletes them a day later
        growth = (sizes[-1] - sizes[0]) / (IDLE_BUILDS - 1)
        assert growth <= COMMITS_OF_AN_IDLE_BUILD, sizes


def commits() -> int:
    """The number of commits that the logs of all tables have."""
    session = SparkSession.builder.getOrCreate()
    pattern = {"delta": "_delta_log/*.json", "iceberg": "metadata/snap-*.avro"}[FILE_FORMAT]
    folders = [Path(location(session, table)) for table in state_tables(session)]
    return sum(len(list(folder.glob(pattern))) for folder in folders)
