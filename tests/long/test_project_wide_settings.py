"""Settings that a project makes for all packages: they must not affect the state of this one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.consumer_projects import bare_consumer
from oracle import random_history, write_all

STATE = "sync_logs_state"


@pytest.fixture
def built(warehouse: Callable[[], Warehouse], tmp_path: Path) -> Warehouse:
    """A build of a project without settings for other packages."""
    made = replace(warehouse(), project=bare_consumer(tmp_path / "project"))
    write_all(made.lake, random_history(1))
    assert made.dbt("run"), made.failures()
    return made


def refused(built: Warehouse, project: Path) -> str:
    """The output of another project's build, which stops before its first model."""
    told = replace(built, project=project)
    assert not told.dbt("run")
    assert [str(one.status) for one in told.results if one.node.resource_type == "model"] == []
    return told.failures()


def test_the_state_outlives_them(built: Warehouse, tmp_path: Path) -> None:
    records = built.rows("sync_records")
    for kind in ("view", "table"):
        project = bare_consumer(tmp_path / kind, models={"+materialized": kind})
        assert f"`models: theirs: +materialized: {kind}`" in refused(built, project)

    project = bare_consumer(tmp_path / "schema", models={"+schema": "elsewhere"})
    said = refused(built, project)
    assert f"The state of this lake is in the schema {STATE}, and this build would begin" in said
    told = replace(built, project=project)
    assert told.dbt("run", "-s", "int_files__planned", variables="sync_logs_new_state: true")

    # an older version of this package let dbt replace the first of its tables like this
    spark = SparkSession.builder.getOrCreate()
    spark.sql(f"drop table {STATE}.int_files__planned")
    spark.sql(f"create view {STATE}.int_files__planned as select 1 as relative_path")
    assert built.dbt("run", variables="sync_logs_new_state: true"), built.failures()
    assert built.rows("sync_records") == records

    spark.sql(f"drop table {STATE}.int_records__landed")
    assert "has lost int_records__landed. Restore the schema" in refused(built, built.project)
    assert built.dbt("run", "--full-refresh"), built.failures()
    assert built.rows("sync_records") == records
