from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from helpers.hightouch_tables import CHANGELOG, COUNTS, RUNS
from sync_logs_demo.hightouch import (
    ABORTED_RUN,
    FIRST_RUNS,
    INCOMPLETE_RUN,
    MOVED_SYNC,
    HightouchRun,
    run_count_beside,
    simulate_hightouch,
    sources,
    write_hightouch_tables,
)
from sync_logs_demo.simulation import simulate
from sync_logs_demo.syncs import BASE_RUNS

OP_TYPES = ("add", "change", "remove")
TYPES = {"bigint": pa.int64(), "string": pa.string(), "timestamp": pa.timestamp("us", tz="UTC")}


@pytest.fixture(scope="module")
def runs() -> list[HightouchRun]:
    return simulate_hightouch(FIRST_RUNS)


def rows_in(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


@pytest.mark.parametrize(
    ("name", "columns"), [("sync_changelog", CHANGELOG), ("sync_runs", RUNS)], ids=str
)
def test_the_tables_have_the_columns_of_hightouch(
    tmp_path: Path, name: str, columns: dict[str, str]
) -> None:
    write_hightouch_tables(tmp_path, FIRST_RUNS)
    schema = pq.read_schema(tmp_path / f"{name}.parquet")
    assert dict(zip(schema.names, schema.types, strict=True)) == {
        column: TYPES[type_] for column, type_ in columns.items()
    }


def test_the_tables_are_the_same_every_time_and_grow(tmp_path: Path) -> None:
    for folder, count in (("a", FIRST_RUNS), ("b", FIRST_RUNS), ("grown", run_count_beside(16))):
        write_hightouch_tables(tmp_path / folder, count)
    for name in ("sync_changelog", "sync_runs"):
        texts = [(tmp_path / folder / f"{name}.parquet").read_bytes() for folder in ("a", "b")]
        assert texts[0] == texts[1]
        first, grown = rows_in(tmp_path / "a", name), rows_in(tmp_path / "grown", name)
        assert grown[: len(first)] == first
    assert len(rows_in(tmp_path / "grown", "sync_runs")) == FIRST_RUNS + 16 - BASE_RUNS
    assert not list(tmp_path.rglob(".*"))


def test_all_kinds_of_rows_occur(runs: list[HightouchRun]) -> None:
    kinds = Counter((row.op_type, row.status) for run in runs for row in run.rows)
    assert {op_type for op_type, status in kinds if status == "succeeded"} == {
        *("added", "changed", "removed")
    }
    assert {status for _, status in kinds} == {"succeeded", "rejected", "aborted"}
    assert [run.number for run in runs if run.error] == [ABORTED_RUN]
    reasons = {(row.status, row.failure_reason is None) for run in runs for row in run.rows}
    assert reasons == {("succeeded", True), ("rejected", False), ("aborted", True)}


def test_the_first_run_adds_members_again_and_leaves_some_behind(runs: list[HightouchRun]) -> None:
    members: set[str | None] = set()
    for run in simulate(MOVED_SYNC, BASE_RUNS):
        for row in run.rows:
            if row.status == "succeeded":
                (members.discard if row.operation == "delete" else members.add)(row.identifier)
    added = {row.row.key for row in runs[0].rows if row.status == "succeeded"}
    assert {row.op_type for row in runs[0].rows} == {"added"}
    assert len(added & members) > 100
    assert added - members
    assert members - {row.row.key for run in runs for row in run.rows}


def test_one_log_lacks_rows_that_are_counted(tmp_path: Path) -> None:
    runs = write_hightouch_tables(tmp_path, FIRST_RUNS)
    logged = Counter(row["sync_run_id"] for row in rows_in(tmp_path, "sync_changelog"))
    reported = {
        row["sync_run_id"]: {name: row[name] for name in COUNTS}
        for row in rows_in(tmp_path, "sync_runs")
    }
    lacking = {
        run.number: sum(reported[run.run_id][f"num_planned_{name}"] for name in OP_TYPES)
        - logged[run.run_id]
        for run in runs
    }
    assert lacking == {1: 0, INCOMPLETE_RUN: 4, ABORTED_RUN: 0, 4: 0}
    for counts in reported.values():
        for name in OP_TYPES:
            attempted = counts[f"num_succeeded_{name}"] + counts[f"num_failed_{name}"]
            assert counts[f"num_attempted_{name}"] == attempted
            assert counts[f"num_planned_{name}"] >= attempted


def test_spark_reads_the_tables_in_a_folder_of_any_name(
    spark: SparkSession, tmp_path: Path
) -> None:
    folder = tmp_path / "o'neil's `home` \"é\" #%20 $x [1]{2}*?"
    runs = write_hightouch_tables(folder, FIRST_RUNS)
    (_, hightouch) = sources(tmp_path, folder)
    relations = hightouch["relations"]
    assert isinstance(relations, dict)
    assert spark.sql(f"select * from {relations['sync_runs']}").count() == len(runs)
    assert spark.sql(f"select * from {relations['sync_changelog']}").count() == sum(
        len(run.logged_rows) for run in runs
    )
