"""A table of a vendor whose rows are cleaned up, come late and come twice."""

from collections.abc import Callable

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.hightouch_tables import CHANGELOG, RUNS
from helpers.source_tables import put, with_sources
from vendors.hightouch_logs import FIRST, SCHEMA, SECOND, SOURCE, row, run

GIVEN = with_sources(SOURCE)


def test_what_was_deleted_stays_and_only_changed_runs_are_read(
    warehouse: Callable[..., Warehouse],
) -> None:
    built = warehouse("cleaned_up")
    built.start_spark()
    build(built, FIRST, None)

    # half of run 9 was cleaned up, another row of it came late, and a row came twice
    build(built, [FIRST[2], row(9, "added", "late"), *SECOND, SECOND[0]], [run(9, 1), run(10, 2)])
    expected = {
        *{("9", one, 1) for one in ("a", "b", "d", "late")},
        *{("10", one, 1) for one in ("a", "b", "c", "e")},
    }
    assert counted(built) == expected

    # all of run 9 was cleaned up
    build(built, [*SECOND, SECOND[0], row(11, "added", "f")], [run(10, 2), run(11, 3)])
    assert counted(built) == {*expected, ("11", "f", 1)}
    reads = [one for one in built.queries if f"{SCHEMA}.sync_changelog" in one and "where" in one]
    assert reads != []
    assert [one for one in reads if "sync_run_id in (11)" not in one] == []

    # nothing is new
    build(built, [*SECOND, SECOND[0], row(11, "added", "f")], [run(10, 2), run(11, 3)])
    last = max(built.rows("sync_loads"), key=lambda one: one["started_at"])
    assert last["landed_record_count"] == 0
    assert last["replayed_run_count"] == 0

    assert built.dbt("run", "--full-refresh", variables=GIVEN), built.failures()
    assert counted(built) == {*expected, ("11", "f", 1)}


def build(
    built: Warehouse, changelog: list[dict[str, object]], runs: list[dict[str, object]] | None
) -> None:
    """Write the tables, and build."""
    put(f"{SCHEMA}.sync_changelog", CHANGELOG, changelog)
    if runs is not None:
        put(f"{SCHEMA}.sync_runs", RUNS, runs)
    assert built.dbt("run", variables=GIVEN), built.failures()


def counted(built: Warehouse) -> set[tuple[object, ...]]:
    """How often each record is in the changelog of each run."""
    session = SparkSession.builder.getOrCreate()
    counts = session.sql(
        f"select sync_run_id, row_id, count(*) from {built.schema}.sync_changelog group by 1, 2"
    )
    return {tuple(one) for one in counts.collect()}
