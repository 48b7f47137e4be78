import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from sync_logs_loader import RunKey
from sync_logs_loader.writer import run_folder

Rows = list[dict[str, Any]]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    warehouse = tmp_path_factory.mktemp("warehouse")
    session = (
        SparkSession.builder.master("local[2]")
        .appName("sync-logs-loader-tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(warehouse))
        .config("spark.sql.session.timeZone", "America/New_York")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def log_rows(count: int, **values: object) -> Rows:
    return [
        {
            "identifier": f"id-{number}",
            "operation": "upsert",
            "status": "succeeded",
            "batch_started_at": "2026-10-01T06:00:00Z",
            "batch_ended_at": "2026-10-01T06:00:20Z",
            **values,
        }
        for number in range(count)
    ]


def write_jsonl(path: Path, rows: Rows) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def run_path(lake: Path, run: RunKey) -> Path:
    return lake / run_folder(run)


def read_batches(lake: Path, run: RunKey) -> list[Rows]:
    files = sorted(
        run_path(lake, run).glob("*.parquet"), key=lambda path: int(path.name.split(".")[-2])
    )
    return [pq.ParquetFile(path).read().to_pylist() for path in files]


def read_identifiers(lake: Path, run: RunKey) -> list[list[str]]:
    return [[row["identifier"] for row in batch] for batch in read_batches(lake, run)]


def read_metadata(lake: Path, run: RunKey) -> dict[str, Any]:
    document = json.loads((run_path(lake, run) / "metadata.json").read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def names_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
