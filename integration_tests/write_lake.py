"""Writes the lake of the project from the files in `lake/`: one call per build, as logs arrive.

    python write_lake.py <folder of the lake> <number of the build>

An empty cell is null. Only the runs in `runs.csv` get a `metadata.json`.
"""

import csv
import json
import sys
from collections import defaultdict
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

FIXTURES = Path(__file__).parent / "lake"
ORGANIZATION_ID = "77"
RECORDS = pa.schema(
    [(name, pa.string()) for name in ("identifier", "record_payload", "operation")]
    + [(name, pa.string()) for name in ("status", "status_message")]
    + [(name, pa.timestamp("us", tz="UTC")) for name in ("batch_started_at", "batch_ended_at")]
)
Row = dict[str, str | None]


def write_lake(lake: Path, build: int) -> None:
    """Add the files that are new for a build."""
    batches: dict[Path, list[Row]] = defaultdict(list)
    for row in _rows("records.csv", build):
        batches[_run(lake, row) / f"records_updated.{row['batch']}.parquet"].append(row)
    for file, rows in batches.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist([_record(row) for row in rows], schema=RECORDS), file)
    for row in _rows("runs.csv", build):
        _run(lake, row).joinpath("metadata.json").write_text(json.dumps(_metadata(row)))
    facts = lake / "metadata" / ORGANIZATION_ID
    facts.mkdir(parents=True, exist_ok=True)
    if build == 1:
        pq.write_table(
            pa.Table.from_pylist(_rows("destinations.csv")), facts / "destinations.parquet"
        )


def _rows(name: str, build: int | None = None) -> list[Row]:
    with (FIXTURES / name).open(newline="") as opened:
        rows = [{key: text or None for key, text in row.items()} for row in csv.DictReader(opened)]
    return [row for row in rows if build is None or row["build"] == str(build)]


def _run(lake: Path, row: Row) -> Path:
    place = [ORGANIZATION_ID, str(row["sync_id"]), str(row["sync_run_id"])]
    return lake.joinpath("sync_tracking_datasets", *place)


def _record(row: Row) -> dict[str, object]:
    ended_at = datetime.fromisoformat(f"{row['batch_ended_at']}+00:00")
    return row | {
        "record_payload": json.dumps({"plan": row["plan"]}),
        "batch_started_at": ended_at,
        "batch_ended_at": ended_at,
    }


def _metadata(row: Row) -> Row:
    return {
        "sync_run_started_at": row["started_at"],
        "sync_run_finished_at": row["finished_at"],
        "sync_run_status": row["status"],
        "model_name": row["model_name"],
        "destination_id": "5",
    }


if __name__ == "__main__":
    write_lake(Path(sys.argv[1]), int(sys.argv[2]))
