"""Sources in a PostgreSQL database, read where they are: a process with the driver of its own."""

import os
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers import hightouch_tables, writeback_tables
from helpers.growing_sources import build_in_steps
from helpers.source_tables import with_sources
from oracle.random_hightouch import random_hightouch
from oracle.random_writeback import random_writeback
from vendors.hightouch_logs import SOURCE as HIGHTOUCH

TYPES = {"string": "text", "timestamp": "timestamptz"}
SCHEMA = "hightouch_audit"
# with the usual columns, ids as numbers, a late table of runs, split groups
SEEDS = (0, 1, 7, 10)
# with ids as numbers and those of source and destination, with times as text
WRITEBACK_SEEDS = (1, 5)


def put(relation: str, types: Mapping[str, str], rows: Sequence[Mapping[str, object]]) -> None:
    """Replace a table of the database, or drop it if it has no columns."""
    schema, _, _ = relation.rpartition(".")
    execute(f"create schema if not exists {schema}")
    execute(f"drop table if exists {relation}")
    if not types:
        return
    columns = ", ".join(f"{column} {TYPES.get(type_, type_)}" for column, type_ in types.items())
    execute(f"create table {relation} ({columns})")
    session = SparkSession.builder.getOrCreate()
    # the writer knows no JSON; the database takes text for it
    known = {column: "string" if type_ == "jsonb" else type_ for column, type_ in types.items()}
    declared = ", ".join(f"{column} {type_}" for column, type_ in known.items())
    values = [tuple(row.get(column) for column in types) for row in rows]
    frame = session.createDataFrame(values, declared)
    frame.write.mode("append").jdbc(os.environ["SYNC_LOGS_JDBC_URL"], relation, None, credentials())


def execute(statement: str) -> None:
    """Run a statement in the database."""
    java: Any = SparkSession.builder.getOrCreate()._jvm
    keys = credentials()
    connection = java.java.sql.DriverManager.getConnection(
        os.environ["SYNC_LOGS_JDBC_URL"], keys["user"], keys["password"]
    )
    try:
        connection.createStatement().execute(statement)
    finally:
        connection.close()


def credentials() -> dict[str, str]:
    """The keys in the environment."""
    return {
        "user": os.environ["DBT_ENV_SECRET_JDBC_USER"],
        "password": os.environ["DBT_ENV_SECRET_JDBC_PASSWORD"],
        "driver": "org.postgresql.Driver",
    }


def main(folder: Path) -> None:
    """Build from growing tables, then from one with JSON; print what dbt says of a wrong one."""
    wrong = Warehouse("wrong", folder / "lake", folder / "target")
    # this starts the session, too
    assert not wrong.dbt("run", variables=with_sources({**HIGHTOUCH, "schema": "jdbc.nowhere"}))
    print(wrong.exception, wrong.said, wrong.failures())

    built = Warehouse("in_database", folder / "lake", folder / "target")
    histories = [*map(random_hightouch, SEEDS), *map(random_writeback, WRITEBACK_SEEDS)]
    build_in_steps(built, histories, step_count=3, put=put, catalog="jdbc.")

    read_hightouch(folder)
    read_writeback(folder)

    SparkSession.builder.getOrCreate().stop()


def read_hightouch(folder: Path) -> None:
    """Build from tables with JSON, then from a late row and a new run."""
    small = Warehouse("with_json", folder / "lake", folder / "target")
    types = hightouch_tables.CHANGELOG | {"fields": "jsonb"}
    row = {"sync_id": 1, "op_type": "added", "row_id": "a", "status": "succeeded"}
    first = row | {"sync_run_id": 41, "fields": '{"n":1}'}
    put(f"{SCHEMA}.sync_changelog", types, [first])
    runs = {"sync_id": 1, "sync_run_id": 41, "started_at": datetime(2026, 1, 1)}
    put(f"{SCHEMA}.sync_runs", hightouch_tables.RUNS, [runs])
    given = counted({"name": "ht", "type": "hightouch", "schema": f"jdbc.{SCHEMA}"})
    assert small.dbt("run", variables=given), small.failures()
    late = row | {"sync_run_id": 41, "row_id": "b", "status": "failed", "failure_reason": "no"}
    put(f"{SCHEMA}.sync_changelog", types, [first, late, row | {"sync_run_id": 4711}])
    assert small.dbt("run", variables=given), small.failures()
    changelog = {(one["sync_run_id"], one["fields"]) for one in small.rows("sync_changelog")}
    assert changelog == {("41", '{"n": 1}'), ("41", None), ("4711", None)}, changelog
    log = {(one["sync_run_id"], one["record_identifier"]) for one in small.rows("sync_log")}
    assert log == {("41", "a"), ("41", "b"), ("4711", "a")}, log


def counted(source: Mapping[str, str]) -> str:
    """The dbt vars of a project with one source, whose rows the database counts."""
    return with_sources({**source, "compare": "counts"})


def read_writeback(folder: Path) -> None:
    """Build from the table of Census, with the types that it has in PostgreSQL, then a new run."""
    small = Warehouse("writeback_json", folder / "lake", folder / "target")
    types = writeback_tables.SYNC_LOG | writeback_tables.IDS | {"record_payload": "jsonb"}
    ended_at = datetime(2026, 1, 1, 2)
    row = {
        **{"log_id": "l1", "sync_id": 1, "sync_run_id": 51, "record_identifier": "a"},
        **{"record_payload": '{"n":1}', "operation": "upsert", "status": "succeeded"},
        **{"batch_completed_at": ended_at, "destination_id": 7, "_census_logged_at": ended_at},
    }
    put("census.sync_log", types, [row])
    given = counted({"name": "wb", "type": "census_writeback", "schema": "jdbc.census"})
    assert small.dbt("run", variables=given), small.failures()
    second = {**row, "log_id": "l2", "sync_run_id": 5711, "record_payload": None}
    put("census.sync_log", types, [row, second])
    assert small.dbt("run", variables=given), small.failures()
    columns = ("sync_run_id", "log_id", "record_payload", "destination_id", "batch_completed_at")
    assert {tuple(one[name] for name in columns) for one in small.rows("sync_log")} == {
        ("51", "l1", '{"n": 1}', "7", ended_at),
        ("5711", "l2", None, "7", ended_at),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
