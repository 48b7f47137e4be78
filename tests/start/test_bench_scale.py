"""What `make bench-scale` counts, without a Spark."""

import json
from pathlib import Path

import pytest

from scripts.bench.lakes import Shape
from scripts.bench.scale import Stored
from scripts.bench.tasks import EventLogs, Work, write_settings

TASK = {
    "Event": "SparkListenerTaskEnd",
    "Task Metrics": {
        "Executor CPU Time": 2_000_000_000,
        "Disk Bytes Spilled": 5,
        "Shuffle Write Metrics": {"Shuffle Bytes Written": 70},
    },
}
LOST = {"Event": "SparkListenerTaskEnd"}


@pytest.mark.parametrize(("syncs", "runs"), [(4, 10), (100, 24), (1000, 24)])
def test_a_lake_has_the_asked_number_of_records_and_runs(syncs: int, runs: int) -> None:
    shape = Shape.of_records(1_000_000, syncs, runs)
    assert (shape.sync_count, shape.run_count) == (syncs, runs)
    assert shape.record_count == pytest.approx(1_000_000, rel=0.01)


def test_work_is_that_since_the_last_call(tmp_path: Path) -> None:
    write_settings(tmp_path)
    log = tmp_path / "events" / "app"
    logs = EventLogs(tmp_path)
    whole, lost = (json.dumps(one, separators=(",", ":")) for one in (TASK, LOST))
    # of the last line, only a part has been written
    log.write_text(f"{whole}\n{lost}\n{whole}\n{whole[:40]}")
    assert logs.new_work() == Work(4.0, 140, 10, 2)
    with log.open("a") as more:
        more.write(f"{whole[40:]}\n")
    assert logs.new_work() == Work(2.0, 70, 5, 1)
    assert logs.new_work() == Work(0, 0, 0, 0)


def test_partitions_are_folders_with_files(tmp_path: Path) -> None:
    for name in ("load_id=1/a", "load_id=1/b", "load_id=2/a"):
        file = tmp_path / f"{name}.parquet"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"12345")
    (tmp_path / "load_id=3").mkdir()
    found = Stored.under(tmp_path)
    assert found == Stored(partition_count=2, file_count=3, byte_count=15)
    assert found.since(Stored(1, 1, 5)) == Stored(1, 2, 10)
