"""Idle builds: no load, no commit, and a row in `sync_loads` that records it."""

from collections.abc import Callable

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.build_and_read import loads_of
from helpers.project import FILE_FORMAT
from oracle.building import sent
from oracle.writing import TextFile, parquet, write_file

RUN = "sync_tracking_datasets/o/s/1"
BATCH = parquet(sent("1", 5, "a"))
# More files than the few state files that an idle build lists.
NOTES = [TextFile(f"{RUN}/{number}.txt", "a note") for number in range(100)]
# Iceberg's catalog keeps a listing until `refresh table`, which lists twice itself (B55)
MOST_LISTINGS = 5 if FILE_FORMAT == "iceberg" else 1


def test_a_build_with_nothing_new_leaves_the_last_load(
    warehouse: Callable[[], Warehouse],
) -> None:
    built = warehouse()
    write_file(built.lake, BATCH)
    for file in (TextFile(f"{RUN}/metadata.json", "{}"), *NOTES):
        write_file(built.lake, file)
    loads = [build(built, hour=1)]
    assert [one["status"] for one in built.rows("sync_runs")] == [None]

    # the run has settled: that is new, but there is no new file and no row to recompute
    loads.append(build(built, hour=2))
    assert loads[1] > loads[0]
    assert [one["status"] for one in built.rows("sync_runs")] == ["succeeded"]

    shown = {table: built.rows(table) for table in ("sync_changelog", "sync_runs")}
    known = files_listed()
    assert build(built, hour=3) == loads[1]
    found = files_listed() - known
    assert found < (MOST_LISTINGS + 1) * len(NOTES), f"{found} files listed"
    assert {table: built.rows(table) for table in shown} == shown
    plans = loads_of(SparkSession.builder.getOrCreate(), f"{built.schema}_state.int_files__planned")
    assert plans == set(loads)

    # without a list of files, a build finds nothing new and reports that
    assert built.dbt("run", "--exclude", "int_files__planned"), built.failures()
    assert any("Nothing new is published" in line for line in built.said)

    # Spark does not list an empty file; the audit adds it to the last load
    empty = built.lake / RUN / "late.2.parquet"
    hidden = built.lake / RUN / "_late.3.parquet"
    for _ in range(2):
        empty.touch()
        hidden.write_text("hidden")
        assert build(built, hour=3) == loads[1]
        assert unseen_files(built) == [hidden.name, empty.name]

    # no listing shows that they were deleted again
    empty.unlink()
    hidden.unlink()
    assert build(built, hour=3) == loads[1]
    assert unseen_files(built) == []

    # the build after that begins another load, and can list them again
    hidden.write_text("hidden")
    loads.append(build(built, hour=3))
    assert loads[2] > loads[1]
    assert unseen_files(built) == [hidden.name]

    # a deleted file is new information, although its rows stay
    (built.lake / BATCH.path).unlink()
    assert build(built, hour=3) > loads[2]

    recorded = sorted(built.rows("sync_loads"), key=lambda one: str(one["load_id"]))
    assert [one["skipped_reason"] for one in recorded] == [None, *["nothing new"] * 7]
    assert [one["vanished_file_count"] for one in recorded] == [*[0] * 7, 1]
    assert [one["replayed_run_count"] for one in recorded] == [1, *[0] * 7]
    assert [one["listed_file_count"] for one in recorded] == [*[2] * 7, 1]


def files_listed() -> int:
    """How many files Spark has listed in this process; a file counts each time it is listed."""
    metrics = SparkSession.builder.getOrCreate()._jvm.org.apache.spark.metrics.source
    return int(metrics.HiveCatalogMetrics.METRIC_FILES_DISCOVERED().getCount())


def unseen_files(built: Warehouse) -> list[str]:
    issues = built.rows("lake_file_issues")
    return sorted(one["file_name"] for one in issues if one["issue"] != "outside the layout")


def build(built: Warehouse, hour: int) -> str:
    """Build as if it were that hour of the day; return the load that is published afterwards."""
    as_of = f'{{"sync_logs_as_of": "2025-03-01T{hour:02}:00:00Z"}}'
    assert built.dbt("run", variables=as_of), built.failures()
    (row,) = built.rows("sync_load_current", "_state")
    return str(row["load_id"])
