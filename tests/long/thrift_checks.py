"""Checks on a Spark Thrift server: dbt builds through Thrift, and Connect reads the tables.

It runs in its own process, because Spark Connect requires that. It prints the doctor's output.
"""

import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from conftest import Warehouse
from helpers.growing_warehouse import at, times, unlike_the_specification
from helpers.project import PROJECT
from helpers.random_histories import Remembered, many_histories

AS_OF = times(2)
DOCTOR = "sync_logs_doctor"
NANOSECONDS = 1_767_247_200_123_456_789
AS_IT_IS_READ = datetime(2026, 1, 1, 6, 0, 0, 123456)


def main(folder: Path) -> None:
    """Run the doctor with settings that have no effect, build in steps, test, run it again."""
    built = Warehouse("by_thrift", folder / "lake", folder / "target")
    plain = folder / "plain"
    plain.mkdir()
    text = (PROJECT / "profiles" / "profiles.yml").read_text()
    (plain / "profiles.yml").write_text(text.replace("set:hiveconf:", ""))
    print("PLAIN KEYS", *said_by_doctor(replace(built, profiles=plain)), sep="\n")

    histories = many_histories(range(100, 106), AS_OF, orderly=range(600, 602))
    remembered = Remembered(built.lake)
    for step in histories.steps:
        remembered.step(step)
        assert built.dbt("run", variables=at(step.as_of)), built.failures()
        assert unlike_the_specification(built, remembered, step.as_of) == {}

    write_nanoseconds(built.lake / "sync_tracking_datasets" / "nano" / "s" / "1")
    assert built.builds(at(AS_OF[-1]), "--exclude", "test_type:unit"), built.failures()
    ended = [row for row in built.rows("sync_records") if row["organization_id"] == "nano"]
    assert [row["batch_ended_at"] for row in ended] == [AS_IT_IS_READ]
    print("PROFILE OF THE CLONE", *said_by_doctor(built), sep="\n")

    # each rule on literal rows, also with ANSI on
    assert built.dbt("test", "--select", "test_type:unit"), built.failures()


def said_by_doctor(built: Warehouse) -> list[str]:
    """The output lines of the doctor."""
    assert built.operation(DOCTOR), built.failures()
    return built.said


def write_nanoseconds(run: Path) -> None:
    """Write a batch whose time is in nanoseconds."""
    run.mkdir(parents=True)
    columns = {
        "identifier": pa.array(["a"]),
        "operation": pa.array(["upsert"]),
        "status": pa.array(["succeeded"]),
        "batch_ended_at": pa.array([NANOSECONDS], pa.timestamp("ns", "UTC")),
    }
    pq.write_table(pa.table(columns), run / "b.1.parquet")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
