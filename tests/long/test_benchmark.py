"""The benchmark compares equal work: its peers build what the specification requires.

Also, on one of its lakes, a small question reads little data.
"""

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from dbt_sync_logs.runner import session
from helpers.project import PROJECT
from oracle import compute, compute_answers, read_lake
from scripts.bench.lakes import Shape, add_run, write_lake
from scripts.bench.peers import build_with_duckdb, build_with_plain_spark, counts_in
from scripts.bench.questions import bytes_read
from scripts.bench.report import Figure, table

SHAPE = Shape(sync_count=2, run_count=7, table_size=600)
AS_OF = datetime(2026, 2, 1, tzinfo=timezone.utc)


@pytest.mark.usefixtures("home")
def test_the_peers_build_the_same_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBT_PROFILES_DIR", str(PROJECT / "profiles"))
    lake = tmp_path / "lake"
    write_lake(lake, SHAPE)
    add_run(lake, SHAPE, number=0, sent=100)
    _, found = build_with_duckdb(lake, tmp_path / "peer.db")

    read = read_lake(lake)
    rows = compute(read, AS_OF) | compute_answers(read, AS_OF)
    with duckdb.connect() as database:
        for name in found:
            database.register(name, pa.Table.from_pylist(rows[name]))
        expected = counts_in(database)
    assert found == expected
    _, found = build_with_plain_spark(session(), lake)
    assert found == expected
    # no compared table is empty
    assert min(min(counts) for counts in found.values()) > 0


def test_a_lake_of_a_size_has_about_that_many_records() -> None:
    for count in (100_000, 10_000_000):
        shape = Shape.of_records(count)
        rows = shape.sync_count * shape.table_size * (1 + (shape.run_count - 1) / 3) * 1.04
        assert rows == pytest.approx(count, rel=0.01)


def test_a_target_is_reached_or_missed() -> None:
    figures = [Figure("a", 1.0, 1.0), Figure("b", 1.1, 1.0), Figure("c", 7)]
    assert [one.verdict for one in figures] == ["reached", "missed", ""]
    lines = table(figures).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[3].split() == ["|", "b", "|", "1.1", "|", "≤", "1", "|", "missed", "|", "|"]


def test_a_small_question_reads_little(warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    write_lake(built.lake, Shape(sync_count=4, run_count=3, table_size=20_000))
    assert built.dbt("run"), built.failures()
    spark = SparkSession.builder.getOrCreate()
    known = spark.sql(f"select max(row_id) from {built.schema}.sync_snapshot").collect()[0][0]
    # unsorted tables give 1 everywhere; a file with a few thousand rows has much other content too
    asked = (
        ("sync_changelog", f"row_id = '{known}' and sync_id = '0'", 0.4),
        ("sync_changelog", "sync_id = '0'", 0.6),
        ("sync_snapshot", f"row_id = '{known}' and sync_id = '0'", 0.6),
        ("field_changes", f"row_id = '{known}' and sync_id = '0'", 0.6),
        ("sync_log", "batch_completed_at > timestamp '2026-01-01 02:00:00'", 0.7),
    )
    for table_name, condition, share in asked:
        query = f"select * from {built.schema}.{table_name}"
        read = bytes_read(spark, f"{query} where {condition}")
        total = bytes_read(spark, query)
        assert 0 < read < share * total, (table_name, condition, read, total)
