import csv
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from sync_logs_loader import Generation, LoadConfig, RunKey, load_log, loader
from sync_logs_loader.sources import read_source

from .conftest import (
    log_rows,
    names_below,
    read_batches,
    read_identifiers,
    read_metadata,
    run_path,
    write_jsonl,
)

RUN = RunKey("1", "2", "3")


def config_for(lake: Path, **values: Any) -> LoadConfig:
    return LoadConfig(str(lake), "1", "2", "3", **values)


def test_run_has_full_batches_in_the_order_of_the_log(spark: SparkSession, tmp_path: Path) -> None:
    log = spark.createDataFrame(log_rows(25)).repartition(1)
    ordered = [row["identifier"] for row in log.collect()]
    summary = load_log(spark, log, config_for(tmp_path, batch_size=10))
    assert read_identifiers(tmp_path, RUN) == [ordered[:10], ordered[10:20], ordered[20:]]
    assert [(run.record_count, run.batch_count) for run in summary.runs] == [(25, 3)]
    assert names_below(tmp_path) == [
        "sync_tracking_datasets/1/2/3/metadata.json",
        "sync_tracking_datasets/1/2/3/records_updated.1.parquet",
        "sync_tracking_datasets/1/2/3/records_updated.2.parquet",
        "sync_tracking_datasets/1/2/3/records_updated.3.parquet",
    ]


def test_large_run_is_written_by_many_tasks_and_keeps_its_order(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "SMALL_RUN_ROWS", 10)
    source = spark.range(0, 40, 1, 3).selectExpr(
        "cast(id as string) as identifier", "'upsert' as operation", "'succeeded' as status"
    )
    load_log(spark, source, config_for(tmp_path, batch_size=10))
    batches = read_identifiers(tmp_path, RUN)
    assert [name for batch in batches for name in batch] == [str(number) for number in range(40)]
    assert max(map(len, batches)) == 10


def test_large_run_gets_no_empty_batch(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "SMALL_RUN_ROWS", 5)
    source = spark.range(0, 40, 1, 4).where("id >= 20")
    log = source.selectExpr("id as identifier", "'upsert' as operation", "'succeeded' as status")
    load_log(spark, log, config_for(tmp_path, batch_size=100))
    assert [len(batch) for batch in read_batches(tmp_path, RUN)] == [10, 10]


def test_one_log_holds_many_runs(spark: SparkSession, tmp_path: Path) -> None:
    rows = [
        {**row, "organization_id": f"o{n % 2}", "sync_id": "s", "sync_run_id": n % 3}
        for n, row in enumerate(log_rows(60))
    ]
    path = write_jsonl(tmp_path / "log.jsonl", rows)
    lake = tmp_path / "lake"
    config = LoadConfig(str(lake), batch_size=7)
    summary = load_log(spark, read_source(spark, path, "jsonl"), config)
    assert summary.record_count == 60
    assert len(summary.runs) == 6
    for run in summary.runs:
        key = run.key
        expected = [
            row["identifier"]
            for row in rows
            if (row["organization_id"], str(row["sync_run_id"]))
            == (key.organization_id, key.sync_run_id)
        ]
        assert read_identifiers(lake, key) == [expected[:7], expected[7:]]


@pytest.mark.parametrize("source_format", ["jsonl", "csv", "parquet"])
def test_formats_give_the_same_records(
    spark: SparkSession, tmp_path: Path, source_format: str
) -> None:
    rows = log_rows(3, status_message='it said "no",\nthen left', email="x@example.com")
    path = tmp_path / f"log.{source_format}"
    if source_format == "jsonl":
        write_jsonl(path, rows)
    elif source_format == "csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    lake = tmp_path / "lake"
    load_log(spark, read_source(spark, str(path), source_format), config_for(lake))
    (batch,) = read_batches(lake, RUN)
    # a line is JSON already and keeps its spelling
    space = " " if source_format == "jsonl" else ""
    assert batch[1] == {
        "identifier": "id-1",
        "record_payload": f'{{"email":{space}"x@example.com"}}',
        "operation": "upsert",
        "status": "succeeded",
        "status_message": 'it said "no",\nthen left',
        "batch_started_at": datetime(2026, 10, 1, 6, 0, tzinfo=timezone.utc),
        "batch_ended_at": datetime(2026, 10, 1, 6, 0, 20, tzinfo=timezone.utc),
        "sync_configuration_id": "2",
        "sync_run_id": "3",
    }


def test_table_of_the_catalog_can_be_loaded(spark: SparkSession, tmp_path: Path) -> None:
    spark.createDataFrame(log_rows(2)).createOrReplaceTempView("result_log")
    load_log(spark, read_source(spark, "result_log", "table"), config_for(tmp_path))
    assert len(read_batches(tmp_path, RUN)[0]) == 2


@pytest.mark.parametrize(
    ("generation", "extra"),
    [
        (Generation.INTERNAL_ID, ["census_sync_tracking_internal_id"]),
        (Generation.PLAIN, []),
        (Generation.RUN_IDS, ["sync_configuration_id", "sync_run_id"]),
    ],
)
def test_generation_decides_the_columns(
    spark: SparkSession, tmp_path: Path, generation: Generation, extra: list[str]
) -> None:
    log = spark.createDataFrame(log_rows(1, census_sync_tracking_internal_id="x"))
    load_log(spark, log, config_for(tmp_path, generation=generation))
    assert list(read_batches(tmp_path, RUN)[0][0])[7:] == extra


def test_reload_with_fewer_rows_replaces_the_run(spark: SparkSession, tmp_path: Path) -> None:
    other = RunKey("1", "2", "4")
    load_log(spark, spark.createDataFrame(log_rows(1)), LoadConfig(str(tmp_path), "1", "2", "4"))
    load_log(spark, spark.createDataFrame(log_rows(9)), config_for(tmp_path, batch_size=3))
    load_log(spark, spark.createDataFrame(log_rows(4)), config_for(tmp_path, batch_size=3))
    assert [len(batch) for batch in read_batches(tmp_path, RUN)] == [3, 1]
    assert len(list(run_path(tmp_path, RUN).iterdir())) == 3
    assert len(read_batches(tmp_path, other)[0]) == 1


def test_nothing_hidden_stays_behind(spark: SparkSession, tmp_path: Path) -> None:
    load_log(spark, spark.createDataFrame(log_rows(5)), config_for(tmp_path, batch_size=2))
    names = [path.name for path in tmp_path.rglob("*")]
    assert not [name for name in names if name.startswith((".", "_"))]


def test_session_settings_are_restored(spark: SparkSession, tmp_path: Path) -> None:
    before = spark.conf.get("spark.sql.session.timeZone")
    load_log(spark, spark.createDataFrame(log_rows(1)), config_for(tmp_path))
    assert spark.conf.get("spark.sql.session.timeZone") == before == "America/New_York"


def test_metadata_holds_ids_start_and_given_values(spark: SparkSession, tmp_path: Path) -> None:
    config = config_for(
        tmp_path,
        metadata={"destination_id": "9", "model_name": "of the load"},
        run_metadata={RUN: {"model_name": "of the run"}},
    )
    load_log(spark, spark.createDataFrame(log_rows(2, email="e", size=1)), config)
    assert read_metadata(tmp_path, RUN) == {
        "organization_id": "1",
        "workspace_id": None,
        "sync_configuration_id": "2",
        "sync_run_id": "3",
        "source_id": None,
        "source_type": None,
        "source_object_id": None,
        "source_object_type": None,
        "destination_id": "9",
        "destination_type": None,
        "destination_object_id": None,
        "destination_object_type": None,
        "sync_run_started_at": "2026-10-01T06:00:00Z",
        "record_payload_schema": {"email": "string", "size": "number"},
        "model_name": "of the run",
    }


def test_metadata_can_be_left_out(spark: SparkSession, tmp_path: Path) -> None:
    load_log(spark, spark.createDataFrame(log_rows(1)), config_for(tmp_path, write_metadata=False))
    assert names_below(tmp_path) == ["sync_tracking_datasets/1/2/3/records_updated.1.parquet"]


def test_payload_schema_comes_from_all_payloads_of_the_run(
    spark: SparkSession, tmp_path: Path
) -> None:
    payloads = [
        '{"a": "1", "mixed": 1, "nothing": null}',
        '{"a": "x", "mixed": "y", "flag": true, "list": [1, 2]}',
        "no json",
        None,
        '{"late": 1.5, "nested": {"b": 1}}',
    ]
    rows = [row | {"record_payload": payloads[n]} for n, row in enumerate(log_rows(5))]
    load_log(spark, spark.createDataFrame(rows), config_for(tmp_path, batch_size=2))
    assert read_metadata(tmp_path, RUN)["record_payload_schema"] == {
        "a": "string",
        "flag": "boolean",
        "late": "number",
        "list": "array",
        "mixed": "string",
        "nested": "string",
        "nothing": "string",
    }
