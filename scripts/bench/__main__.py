"""`make bench`: build a lake of RECORDS records, and its peers, on this machine in one run.

The report goes to the terminal. With `--keep` it is also appended, with its date, to
bench_reports.md, which git ignores: copy figures that are to stay into docs/benchmarks.md.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dbt_sync_logs.checks import EmbeddedSparkError
from dbt_sync_logs.runner import PROJECT, session
from scripts.bench import peers, questions, screens
from scripts.bench.builds import BuildFailedError, Place, fastest
from scripts.bench.histories import Grown, grow_histories
from scripts.bench.lakes import BATCH_SIZE, DAY_ONE, NEW_RUN, Shape, add_run, write_lake
from scripts.bench.progress import say, say_nodes, say_slowest
from scripts.bench.report import Figure, heading, table
from scripts.serve.process import running

REPORTS = PROJECT / "bench_reports.md"
# The number of records that the targets apply to.
TARGETS_OF = 10_000_000


def main() -> int:
    """Return the exit code: 1 if something failed, but not for a missed target."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000, help="rows of the lake")
    parser.add_argument("--history", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--keep", action="store_true", help=f"append the report to {REPORTS.name}")
    arguments = parser.parse_args()
    figures: list[Figure] = []
    grown = None
    try:
        with TemporaryDirectory(
            prefix="sync-logs-bench-", dir=os.environ.get("BENCH_HOME")
        ) as folder:
            if arguments.history:
                grown = grow_histories(Path(folder))
                figures += _told(iter([grown.figure]))
            figures += _told(_measure(Path(folder), arguments.records, grown))
    except (BuildFailedError, EmbeddedSparkError) as error:
        print(f"bench: a build failed:\n{error}", file=sys.stderr)
        return 1
    report = f"{heading(arguments.records)}\n\n{table(figures)}\n"
    print(f"\n{report}")
    if arguments.records < TARGETS_OF:
        print(
            f"The targets are for {TARGETS_OF:,} records. With fewer records, starts and planning "
            "outweigh data. docs/benchmarks.md has figures of that size."
        )
    if arguments.keep:
        with REPORTS.open("a") as page:
            page.write(f"{report}\n")
        print(f"The report was added to {REPORTS}.")
    return 0


def _told(figures: Iterator[Figure]) -> Iterator[Figure]:
    """Yield the same figures and print each immediately, in case the benchmark fails later."""
    for figure in figures:
        say(f"{figure.measure}: {figure.value:.3g} {figure.verdict}".rstrip())
        yield figure


def _measure(folder: Path, records: int, grown: Grown | None) -> Iterator[Figure]:
    place = Place(folder / "lake", folder / "home")
    shape = Shape.of_records(records)
    say(f"writing a lake of about {records:,} records")
    write_lake(place.lake, shape)
    say("full build")
    full = place.run()
    say_nodes(full)
    yield Figure("driver heap in use, GiB", full.heap / 1024, 4, "the most that a collection left")
    say("a build with nothing new, and the floor below it")
    overhead = min(place.run().seconds for _ in range(2))
    floor = min(place.start_alone().seconds for _ in range(2))
    look = min(place.look_alone().seconds for _ in range(2))
    yield Figure("overhead ÷ floor", overhead / floor, 1.5, f"{overhead:.1f} s ÷ {floor:.1f} s")
    yield Figure(
        "a look by plain Spark, and models that do nothing ÷ floor",
        look / floor,
        note=f"{look:.1f} s ÷ {floor:.1f} s",
    )
    say(f"one more run of {NEW_RUN:,} records")
    numbers = count()
    added = []
    for _ in range(2):
        add_run(place.lake, shape, next(numbers), shape.news)
        added.append(place.run())
    more = fastest(added)
    say_nodes(more)
    data = full.seconds - overhead
    news = max(more.seconds - overhead, 0)
    yield Figure(
        "one more run, data time ÷ full build", news / data, 0.05, f"{news:.1f} s ÷ {data:.0f} s"
    )
    if grown is not None:
        start = max(grown.short - overhead, 0)
        yield Figure(
            "one more run on ten small runs, data time ÷ full build",
            start / data,
            note=f"{start:.1f} s ÷ {data:.0f} s",
        )
        yield Figure(
            "the tables of ten small runs by plain Spark SQL, just started ÷ full build",
            grown.plain / data,
            note=f"{grown.plain:.1f} s ÷ {data:.0f} s",
        )
    stored = _bytes_of(place.home / "warehouse") / _bytes_of(place.lake)
    yield Figure("bytes stored ÷ bytes of the raw lake", stored, 2.0)
    yield from _measure_server(place, shape, numbers, overhead, more.seconds)
    say("DuckDB builds the same tables")
    duck_seconds, expected = peers.build_with_duckdb(place.lake, folder / "duck.db")
    yield Figure(
        "full build, data time ÷ DuckDB",
        data / duck_seconds,
        1.5,
        f"{data:.0f} s ÷ {duck_seconds:.0f} s",
    )
    # from here on, this process uses the catalog
    os.environ.update(place.environment())
    spark = session()
    _check(expected, peers.counts_of_ours(spark))
    say("plain Spark SQL builds the same tables, and a state")
    by_table, found = peers.build_with_plain_spark(spark, place.lake)
    plain_seconds = sum(by_table.values())
    say_slowest(by_table)
    _check(expected, found)
    for what, seconds in (("DuckDB", duck_seconds), ("our full build, data time", data)):
        yield Figure(
            f"plain Spark SQL, the same tables and a state ÷ {what}",
            plain_seconds / seconds,
            note=f"{plain_seconds:.0f} s ÷ {seconds:.0f} s",
        )
    yield from _measure_questions(spark, place)
    yield from _measure_loading(spark, place.lake, folder)
    say("the bytes of a full build, without its logic")
    moved = questions.seconds_of_one(
        lambda: peers.move_what_a_build_moves(spark, place.lake, folder / "moved")
    )
    yield Figure(
        "the bytes of a full build, sorted once by Spark ÷ DuckDB",
        moved / duck_seconds,
        note=f"{moved:.0f} s ÷ {duck_seconds:.0f} s",
    )
    spark.stop()


def _measure_server(
    place: Place, shape: Shape, numbers: Iterator[int], overhead: float, more: float
) -> Iterator[Figure]:
    say("a build with nothing new, and one more run, on a warm server")
    idle, grown = [], []
    figures: list[Figure] = []
    with running(place.environment()) as url:
        for _ in range(2):
            idle.append(place.run_on(url).seconds)
            add_run(place.lake, shape, next(numbers), shape.news)
            grown.append(place.run_on(url).seconds)
        say("pages of the viewer on it")
        with screens.viewer(place.environment(), url) as seen:
            figures += screens.measure(seen)
    yield from figures
    for what, embedded, seconds in (
        ("a build with nothing new", overhead, min(idle)),
        ("one more run", more, min(grown)),
    ):
        yield Figure(
            f"{what}, on a warm server ÷ embedded",
            seconds / embedded,
            note=f"{seconds:.1f} s ÷ {embedded:.1f} s",
        )


def _measure_questions(spark: Any, place: Place) -> Iterator[Figure]:
    say("the headline questions, to the tables and to views over the logs")
    # first: the next command of dbt replaces the manifest of the last build
    computed = questions.answers_computed(spark, place.home / "target")
    ours = questions.our_questions(place.home / "target")
    theirs = questions.questions_to_views(spark, place.lake)
    our_seconds = questions.seconds_of(lambda: questions.ask(spark, ours))
    their_seconds = questions.seconds_of(lambda: questions.ask(spark, theirs), times=1)
    yield Figure(
        "headline questions ÷ on views over the logs",
        our_seconds / their_seconds,
        0.1,
        f"{our_seconds:.2f} s ÷ {their_seconds:.2f} s",
    )
    stored = [f"select * from sync_logs.{name}" for name in questions.STORED_ANSWERS]
    stored_seconds = questions.seconds_of(lambda: questions.ask(spark, stored))
    computed_seconds = questions.seconds_of(lambda: questions.ask(spark, computed))
    yield Figure(
        "tables whose answers are stored, all rows ÷ computing the answers",
        stored_seconds / computed_seconds,
        0.5,
        f"{stored_seconds:.2f} s ÷ {computed_seconds:.2f} s",
    )
    yield from _measure_search(spark)


def _measure_search(spark: Any) -> Iterator[Figure]:
    say("one record, one sync, one hour: bytes read")
    known = spark.sql("select row_id from sync_logs.sync_snapshot order by 1 limit 1").first()[0]
    day = DAY_ONE.date().isoformat()
    asked = (
        ("sync_changelog", "one record", f"row_id = '{known}'", 0.02),
        ("sync_changelog", "one sync", "organization_id = '1' and sync_id = '0'", None),
        ("sync_log", "one hour", f"batch_completed_at < timestamp '{day} 01:00:00'", None),
    )
    for table_name, what, condition, target in asked:
        rows = spark.table(f"sync_logs.{table_name}")
        share = rows.where(condition).count() / rows.count()
        read = questions.bytes_read(
            spark, f"select * from sync_logs.{table_name} where {condition}"
        )
        total = questions.bytes_read(spark, f"select * from sync_logs.{table_name}")
        yield Figure(
            f"{what} of {table_name}: bytes read ÷ of the whole",
            read / total,
            target,
            f"{read:,} ÷ {total:,}; {share:.2g} of its rows",
        )


def _measure_loading(spark: Any, lake: Path, folder: Path) -> Iterator[Figure]:
    say("the loader, a plain write, a copy")
    plain = questions.seconds_of(lambda: peers.write_plainly(spark, lake, folder / "plain"))
    least = questions.seconds_of(lambda: peers.write_as_the_loader(spark, lake, folder / "plain"))
    loader = questions.seconds_of(lambda: peers.load(spark, lake, folder / "loaded"))
    copy = questions.seconds_of(lambda: peers.copy_bytes(spark, lake, folder / "copy"), times=1)
    yield Figure(
        "loader ÷ a plain write by Spark", loader / plain, 1.25, f"{loader:.1f} s ÷ {plain:.1f} s"
    )
    yield Figure(
        f"its columns in its files of {BATCH_SIZE:,} rows, by Spark ÷ a plain write",
        least / plain,
        note=f"{least:.1f} s ÷ {plain:.1f} s",
    )
    yield Figure(
        "loader ÷ its columns in its files, by Spark",
        loader / least,
        note=f"{loader:.1f} s ÷ {least:.1f} s",
    )
    yield Figure("a bare copy of the lake by Spark, s", copy)


def _check(expected: Mapping[str, object], found: Mapping[str, object]) -> None:
    for name, counts in expected.items():
        same = "the same" if counts == found[name] else f"NOT the same, {found[name]}"
        print(f"    {name}: {counts} in DuckDB, {same}", flush=True)


def _bytes_of(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())


if __name__ == "__main__":
    sys.exit(main())
