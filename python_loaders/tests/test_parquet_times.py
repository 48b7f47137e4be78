"""Times in nanoseconds, as pandas writes them, are read exactly to the microsecond."""

from datetime import datetime, timezone
from pathlib import Path

# Its authors ship no types.
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from sync_logs_loader import LoadConfig, RunKey, load_log
from sync_logs_loader.sources import read_source

from .conftest import read_batches

RUN = RunKey("1", "2", "3")
INSTANTS = ["2026-10-01T06:00:20.123456789", "1960-01-01T00:00:00.000001999", None]
EXPECTED = [
    datetime(2026, 10, 1, 6, 0, 20, 123456, tzinfo=timezone.utc),
    datetime(1960, 1, 1, 0, 0, 0, 1, tzinfo=timezone.utc),
    None,
]


@pytest.mark.parametrize("zone", [None, "UTC"])
def test_what_pandas_writes(spark: SparkSession, tmp_path: Path, zone: str | None) -> None:
    ended = pd.Series(pd.to_datetime(INSTANTS))
    frame = pd.DataFrame(
        {
            "identifier": ["a", "b", "c"],
            "status": "succeeded",
            "batch_completed_at": ended.dt.tz_localize(zone) if zone else ended,
            # an integer as large as a time is not a time
            "number": ended.astype("int64"),
        }
    )
    source = tmp_path / "log.parquet"
    frame.to_parquet(source)
    unit = pq.read_schema(source).field("batch_completed_at").type
    assert unit == pa.timestamp("ns", zone)
    config = LoadConfig(str(tmp_path / "lake"), "1", "2", "3", values={"operation": "upsert"})
    load_log(spark, read_source(spark, str(source), "parquet"), config)
    (rows,) = read_batches(tmp_path / "lake", RUN)
    assert [row["batch_ended_at"] for row in rows] == EXPECTED
    numbers = [f'{{"number":{number}}}' for number in frame["number"]]
    assert [row["record_payload"] for row in rows] == numbers


def test_times_inside_of_structs_lists_and_maps(spark: SparkSession, tmp_path: Path) -> None:
    instant, local = pa.timestamp("ns", "UTC"), pa.timestamp("ns")
    inner = pa.struct([("at", instant), ("n", pa.int64())])
    payload = pa.struct(
        [
            ("local", local),
            ("inner", inner),
            ("list", pa.list_(instant)),
            ("map", pa.map_(pa.string(), instant)),
            ("numbers", pa.list_(pa.int64())),
        ]
    )
    nanos = 1_000_000_001_999
    value = {
        "local": nanos,
        "inner": {"at": nanos, "n": nanos},
        "list": [nanos, None],
        "map": [("k", nanos)],
        "numbers": [nanos],
    }
    columns = {name: ["x", "x"] for name in ("identifier", "operation", "status")}
    table = pa.table(columns).append_column("record_payload", pa.array([value, None], payload))
    source = tmp_path / "log.parquet"
    pq.write_table(table, source)
    config = LoadConfig(str(tmp_path / "lake"), "1", "2", "3")
    load_log(spark, read_source(spark, str(source), "parquet"), config)
    (rows,) = read_batches(tmp_path / "lake", RUN)
    at = "1970-01-01T00:16:40.000001"
    assert [row["record_payload"] for row in rows] == [
        f'{{"local":"{at}","inner":{{"at":"{at}Z","n":{nanos}}},"list":["{at}Z",null],'
        f'"map":{{"k":"{at}Z"}},"numbers":[{nanos}]}}',
        None,
    ]
