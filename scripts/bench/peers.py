"""The peers: the same tables with DuckDB and plain Spark SQL, a copy of bytes, a plain write."""

import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from scripts.bench.lakes import BATCH_SIZE, batches_of, records_of, show_lake
from sync_logs_loader.config import LoadConfig
from sync_logs_loader.loader import load_log

PEER = Path(__file__).with_name("peer.sql")
PLAIN = Path(__file__).with_name("plain.sql")
# views on the tables of either peer
VIEWS = Path(__file__).with_name("peer_views.sql")
PLAIN_SCHEMA = "sync_logs_bench_plain"
# the file options in macros/loads/prepare_state.sql, which speed up the search for one record
PAGES = (
    "options ('parquet.page.row.count.limit' = '2000', 'parquet.dictionary.page.size' = '65536')"
)
CREATED = re.compile(r"^create (?:or replace )?(?:temporary )?(?:table|view) (?:\w+\.)?(\w+)", re.M)
# counts that both sides must agree on
SAME = {
    "sync_log": "count(*)",
    "sync_changelog": "count(*), count_if(op_type = 'added'), count_if(status = 'failed')",
    "sync_snapshot": "count(*), count_if(status = 'failed'), count_if(is_delivered)",
    "sync_runs": "sum(num_succeeded_add), sum(num_succeeded_change), sum(num_failed_change)",
    "audience_memberships": "count(*), count(exited_at), count_if(entry_observed)",
    "audience_events": "count(*), count_if(event_type = 'left')",
    "field_changes": "count(*), count(previous_value)",
    "errors_by_sync": "count(*), sum(record_count), sum(attempt_count)",
}


def build_with_duckdb(
    lake: Path, file: Path, memory: str = "4GB"
) -> tuple[float, dict[str, tuple[Any, ...]]]:
    """Return the seconds to build the tables, and the counts of each table."""
    began = time.monotonic()
    with duckdb.connect(str(file), config={"memory_limit": memory}) as database:
        for statement in _statements(PEER, VIEWS, lake=lake, schema="main"):
            database.execute(statement)
        database.execute("checkpoint")
        seconds = time.monotonic() - began
        found = counts_in(database)
    return seconds, found


def build_with_plain_spark(
    spark: Any, lake: Path
) -> tuple[dict[str, float], dict[str, tuple[Any, ...]]]:
    """Return Spark's seconds for each table and a state, and the counts; drop the tables."""
    # a session of its own, because dbt would list its temporary views as tables without a schema
    spark = spark.newSession()
    spark.sql(f"create schema {PLAIN_SCHEMA}")
    seconds = {}
    try:
        began = time.monotonic()
        show_lake(spark, lake)
        _show_files(spark, lake)
        for statement in _statements(PLAIN, VIEWS, schema=PLAIN_SCHEMA, pages=PAGES):
            spark.sql(statement)
            ended = time.monotonic()
            (name,) = CREATED.findall(statement)
            began, seconds[name] = ended, ended - began
        return seconds, _counts_of(spark, PLAIN_SCHEMA)
    finally:
        spark.sql(f"drop schema {PLAIN_SCHEMA} cascade")


def _show_files(spark: Any, lake: Path) -> None:
    """The batch files as a view, with the parts of their paths."""
    files = spark.read.format("binaryFile").load(batches_of(lake)).select("_metadata.file_path")
    parts = {"organization_id": -4, "sync_id": -3, "sync_run_id": -2, "file_name": -1}
    named = [f"element_at(split(file_path, '/'), {at}) as {part}" for part, at in parts.items()]
    number = "cast(regexp_extract(file_path, '([0-9]+).parquet$', 1) as bigint) as batch_number"
    files.selectExpr("file_path", *named, number).createOrReplaceTempView("raw_files")


def _statements(*files: Path, **names: object) -> Iterator[str]:
    for file in files:
        for statement in file.read_text().format(**names).split(";\n"):
            if statement.strip():
                yield statement


def counts_in(database: duckdb.DuckDBPyConnection) -> dict[str, tuple[Any, ...]]:
    """The counts that both sides must agree on, from the tables in DuckDB."""
    queries = _counts()
    return {table: database.execute(query).fetchall()[0] for table, query in queries.items()}


def counts_of_ours(spark: Any) -> dict[str, tuple[Any, ...]]:
    """The same counts from our tables."""
    return _counts_of(spark, "sync_logs")


def _counts_of(spark: Any, schema: str) -> dict[str, tuple[Any, ...]]:
    queries = _counts(f"{schema}.")
    return {table: tuple(spark.sql(query).collect()[0]) for table, query in queries.items()}


def _counts(schema: str = "") -> Mapping[str, str]:
    return {table: f"select {counts} from {schema}{table}" for table, counts in SAME.items()}


def copy_bytes(spark: Any, lake: Path, target: Path) -> None:
    """The floor: read every record and write it once."""
    records_of(spark, lake).write.parquet(str(target), mode="overwrite", compression="zstd")


def move_what_a_build_moves(spark: Any, lake: Path, target: Path) -> None:
    """The floor of a full build: its bytes, with one shuffle and one sort, and no logic at all.

    Read and write the lake once in its order and once by record, then every other stored table.
    """
    copy_bytes(spark, lake, target / "records")
    records = records_of(spark, lake)
    records.repartition("identifier").sortWithinPartitions("identifier").write.parquet(
        str(target / "by_record"), mode="overwrite"
    )
    for table in ("field_changes", "membership_events", "memberships", "record_states"):
        rows = spark.table(f"sync_logs_state.int_{table}__built")
        rows.write.parquet(str(target / table), mode="overwrite")


def write_plainly(spark: Any, lake: Path, target: Path) -> None:
    """Write the loader's rows with Spark alone, in as few files as Spark chooses."""
    records_of(spark, lake).write.parquet(str(target), mode="overwrite")


def write_as_the_loader(spark: Any, lake: Path, target: Path) -> None:
    """Write the loader's columns and files with Spark alone: what any loader must write."""
    config = _load_config(target)
    extras = [f"'1' as {name}" for name in config.generation.extra_columns]
    rows = records_of(spark, lake).selectExpr("*", *extras).write
    rows.option("maxRecordsPerFile", config.batch_size).parquet(str(target), mode="overwrite")


def load(spark: Any, lake: Path, target: Path) -> None:
    """Write the same rows with the loader."""
    load_log(spark, records_of(spark, lake), _load_config(target))


def _load_config(target: Path) -> LoadConfig:
    """The configuration of one run, in files with as many rows as those of the lake."""
    return LoadConfig(str(target), "1", "1", "1", batch_size=BATCH_SIZE)
