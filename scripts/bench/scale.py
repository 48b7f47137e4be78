"""`make bench-scale`: what a build costs per record and per run, embedded and on a cluster.

For a lake of RECORDS records it measures the full build, runs that are added to it, and a build
with nothing new: seconds, seconds of cores, heap, shuffle, files and bytes of every layer.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from dbt_sync_logs.checks import EmbeddedSparkError
from scripts.bench.builds import COLLECTION, Build, BuildFailedError, Place
from scripts.bench.lakes import ATTEMPTS, Shape, add_run, write_lake
from scripts.bench.progress import say, say_slowest
from scripts.bench.report import machine
from scripts.bench.tasks import EventLogs, Work, write_settings
from scripts.serve.process import running

COLUMNS = (
    *("build", "records", "seconds", "processor seconds", "tasks", "shuffle, MB", "spilled, MB"),
    *("new partitions", "new files", "new MB"),
)
MEGABYTE = 1_000_000
MOST_TABLES = 16


@dataclass(frozen=True)
class Stored:
    """Partitions, files and bytes in a folder."""

    partition_count: int
    file_count: int
    byte_count: int

    @classmethod
    def under(cls, folder: Path) -> "Stored":
        """Those of all parquet files below a folder; a partition has a folder of its own."""
        files = list(folder.rglob("*.parquet"))
        folders = {file.parent for file in files}
        return cls(len(folders), len(files), sum(file.stat().st_size for file in files))

    def since(self, before: "Stored") -> "Stored":
        """What was added."""
        return Stored(
            self.partition_count - before.partition_count,
            self.file_count - before.file_count,
            self.byte_count - before.byte_count,
        )


@dataclass(frozen=True)
class Measured:
    """One build, what its tasks did and what it stored."""

    name: str
    record_count: int
    build: Build
    work: Work
    stored: Stored

    def cells(self) -> list[str]:
        """A row of the report, in the order of `COLUMNS`."""
        return [
            self.name,
            f"{self.record_count:,}",
            f"{self.build.seconds:.1f}",
            f"{self.work.core_seconds:.1f}",
            f"{self.work.task_count:,}",
            f"{self.work.shuffle_bytes / MEGABYTE:,.1f}",
            f"{self.work.spilled_bytes / MEGABYTE:,.1f}",
            f"{self.stored.partition_count:,}",
            f"{self.stored.file_count:,}",
            f"{self.stored.byte_count / MEGABYTE:,.1f}",
        ]


def main() -> int:
    """Return the exit code: 1 if a build failed."""
    parser = argparse.ArgumentParser(prog="make bench-scale", description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000, help="rows of the lake")
    parser.add_argument("--syncs", type=int, default=4, help="syncs of the lake")
    parser.add_argument("--runs", type=int, default=10, help="runs of each sync, at least two")
    parser.add_argument("--added", type=int, default=100_000, help="records of an added run")
    parser.add_argument("--cluster", action="store_true", help="build on `make cluster`")
    arguments = parser.parse_args()
    try:
        with TemporaryDirectory(prefix="sync-logs-scale-", dir=os.environ.get("BENCH_HOME")) as at:
            shape = Shape.of_records(arguments.records, arguments.syncs, arguments.runs)
            _report(Path(at), shape, arguments.added, arguments.cluster)
    except (BuildFailedError, EmbeddedSparkError) as error:
        print(f"bench: a build failed:\n{error}", file=sys.stderr)
        return 1
    return 0


def _report(folder: Path, shape: Shape, added_count: int, on_cluster: bool) -> None:
    place = Place(folder / "lake", folder / "home")
    lake_text = f"{shape.record_count:,} records, {shape.sync_count * shape.run_count:,} runs"
    say(f"writing a lake: {lake_text}")
    write_lake(place.lake, shape)
    lake = Stored.under(place.lake)
    write_settings(folder / "conf")
    (folder / "gc").mkdir()
    os.environ["SPARK_CONF_DIR"] = str(folder / "conf")
    with _builder(place, folder, on_cluster) as build:
        events = EventLogs(folder / "conf")
        measured = list(_measure(place, events, shape, added_count, build))
    where = "on a cluster of two workers with one core each" if on_cluster else "embedded"
    print(f"\n{lake_text}, {where}: {machine()}\n")
    print(f"The lake has {lake.file_count:,} files of {lake.byte_count / MEGABYTE:,.0f} MB.")
    print(f"Most heap left by a collection: {_heap(folder, measured):,} MiB.\n")
    for cells in (list(COLUMNS), ["---"] * len(COLUMNS), *(one.cells() for one in measured)):
        print(f"| {' | '.join(cells)} |")
    print("\n| table | partitions | files | MB |\n|---|---|---|---|")
    for table, stored in sorted(_tables(place), key=lambda one: -one[1].byte_count)[:MOST_TABLES]:
        print(
            f"| {table} | {stored.partition_count} | {stored.file_count:,} "
            f"| {stored.byte_count / MEGABYTE:,.2f} |"
        )


def _measure(
    place: Place, events: EventLogs, shape: Shape, added_count: int, build: Callable[[], Build]
) -> Iterator[Measured]:
    yield _one("full build", shape.record_count, place, events, build)
    for number in range(2):
        add_run(place.lake, shape, number, added_count)
        yield _one("one more run", round(ATTEMPTS * added_count), place, events, build)
    yield _one("nothing new", 0, place, events, build)


def _one(
    name: str, record_count: int, place: Place, events: EventLogs, build: Callable[[], Build]
) -> Measured:
    say(name)
    before = Stored.under(place.home / "warehouse")
    built = build()
    stored = Stored.under(place.home / "warehouse").since(before)
    work = events.new_work()
    say_slowest(built.nodes)
    measured = Measured(name, record_count, built, work, stored)
    print(f"    {' | '.join(measured.cells())}", flush=True)
    return measured


@contextmanager
def _builder(place: Place, folder: Path, on_cluster: bool) -> Iterator[Callable[[], Build]]:
    """The command that builds; on a cluster, its server lives as long as the block."""
    if not on_cluster:
        yield place.run
        return
    place.home.mkdir(parents=True)
    own = {
        "JDK_JAVA_OPTIONS": f"-Xlog:gc:file={folder}/gc/%p.log",
        "SYNC_LOGS_CLUSTER_PORT": "0",
    }
    with running(place.environment() | own, "--cluster") as url:
        yield lambda: place.run_on(url)


def _heap(folder: Path, measured: list[Measured]) -> int:
    """The most MiB that any process of Spark held after a collection of garbage."""
    found = [
        int(one) for log in (folder / "gc").iterdir() for one in COLLECTION.findall(log.read_text())
    ]
    return max(*found, *(one.build.heap for one in measured), 0)


def _tables(place: Place) -> Iterator[tuple[str, Stored]]:
    for schema in (place.home / "warehouse").iterdir():
        for table in schema.iterdir() if schema.is_dir() else ():
            yield table.name, Stored.under(table)


if __name__ == "__main__":
    sys.exit(main())
