"""How much of each run is in its log: expected values worked out by hand."""

import pytest

from oracle import expected_tables, random_hightouch
from oracle.building import at, batch, lake_of, row, sent, unreadable
from oracle.building_hightouch import logged, ran, seen, syncs_in
from oracle.hightouch import HightouchTables, merge, runs_of
from oracle.lake import Lake
from oracle.retention import Purge, Retained
from oracle.rows import COLUMNS, STAGES, Row
from oracle.semantics import tables_of
from specification.small_lake_answers import Rows, picked
from specification.small_retention import AS_OF, before, built, rows_of

COUNTS = "stored_row_count deleted_row_count duplicate_row_count"
ONE = (logged("1", "a"),)


def coverage(*rows: Row, runs: tuple[Row, ...] = ()) -> Rows:
    """Compute the rows of runs that are all settled, because they finished."""
    return coverage_of(seen(*rows, runs=runs))


def coverage_of(found: HightouchTables, table: str = "log_coverage") -> Rows:
    return tables_of(syncs_in(found))[table]


def reporting(run: str, *sums: int | None, finished: bool = True, **more: object) -> Row:
    """Create the row of a run with a sum for each stage; a sum is 1 added, the rest changed."""
    counts: dict[str, object] = {}
    for stage, total in zip(STAGES, sums, strict=False):
        if total is not None:
            columns = [f"num_{stage}_{suffix}" for suffix in ("add", "change", "remove")]
            counts |= dict(zip(columns, (min(total, 1), max(total - 1, 0), 0), strict=True))
    minute = int(run) * 10
    return ran(run, minute, minute + 1 if finished else None, **counts, **more)


def issues(*rows: Row, runs: tuple[Row, ...]) -> list[str | None]:
    return [one["issue"] for one in coverage(*rows, runs=runs)]


# Every column. The log has 3 rows of 2 op_types, whatever the vendor counts.
def test_a_row() -> None:
    rows = (logged("1", "a"), logged("1", "b", "removed", "failed"))
    (found,) = coverage(
        *rows, logged("1", "c", status="aborted"), runs=(reporting("1", 5, 4, 3, 1),)
    )
    assert found == {
        **{"organization_id": "o", "sync_id": "s", "sync_run_id": "1"},
        **{"reported_planned_count": 5, "reported_attempted_count": 4},
        **{"reported_succeeded_count": 3, "reported_failed_count": 1},
        **{"logged_planned_count": 3, "logged_attempted_count": 2},
        **{"logged_succeeded_count": 1, "logged_failed_count": 1},
        **{"stored_row_count": 3, "deleted_row_count": 0, "duplicate_row_count": 0},
        **{"issue": "expired", "source_name": "hightouch", "vendor": "hightouch"},
    }
    assert set(found) == set(COLUMNS["log_coverage"])


# A lake reports no counts. A record with two attempts has two rows and one outcome.
def test_a_lake() -> None:
    files = (
        *(batch("1", row("a", "upsert", "rejected"), row("a", "upsert", "succeeded")), batch("2")),
        *(sent("3", 3, "a"), unreadable("3")),
    )
    found = rows_of(built(*files), "log_coverage")
    columns = f"reported_planned_count logged_planned_count {COUNTS} issue"
    assert picked(found, columns) == [
        (None, 1, 1, None, None, "unreadable files"),
        (None, 1, 2, None, None, None),
        (None, 0, 0, None, None, None),
    ]


# One of the three counts of a stage is not enough.
def test_reported_sums() -> None:
    counts = {f"num_planned_{suffix}": 1 for suffix in ("add", "change", "remove")}
    lacking = {"num_attempted_add": 9, "num_attempted_change": 9, "num_attempted_remove": None}
    (found,) = coverage(*ONE, runs=(ran("1", 1, 2, **counts, **lacking),))
    assert picked([found], "reported_planned_count reported_attempted_count") == [(3, None)]


# Nothing is known to be missing.
@pytest.mark.parametrize("sums", [(), (1,), (1, 1, 1, 0), (None, 1), (None, None, None, 0)])
def test_complete(sums: tuple[int | None, ...]) -> None:
    assert issues(*ONE, runs=(reporting("1", *sums),)) == [None]


def test_not_settled() -> None:
    assert issues(*ONE, runs=(reporting("1", 2, finished=False),)) == ["not settled"]
    # counts that fit are no issue, and the next run settles it
    assert issues(*ONE, runs=(reporting("1", 1, finished=False),)) == [None]
    runs = (reporting("1", 2, finished=False), reporting("2"))
    assert issues(*ONE, runs=runs) == ["expired", None]


# Only a word with a known meaning is a failure.
@pytest.mark.parametrize(
    ("status", "expected"),
    [(" Cancelled", "aborted"), ("failed", "aborted"), ("success", "expired"), ("x", "expired")],
)
def test_aborted(status: str, expected: str) -> None:
    assert issues(*ONE, runs=(reporting("1", 2, status=status),)) == [expected]
    # only of runs that lack rows
    assert issues(*ONE, runs=(reporting("1", 0, status=status),)) == ["more than reported"]


def test_switched_off_after_rows() -> None:
    runs = tuple(reporting(run, 1) for run in ("1", "2", "3"))
    assert issues(*ONE, logged("3", "a"), runs=runs) == [None, "switched off", None]


def test_never_switched_on() -> None:
    assert issues(runs=(reporting("1", 1), reporting("2", 0), reporting("3", 1))) == [
        *("switched off", None, "switched off")
    ]


# Runs 1 and 2 are before the first rows that the log still has, or among them.
def test_expired() -> None:
    runs = tuple(reporting(run, 2) for run in ("1", "2", "3"))
    rows = (logged("2", "a"), logged("3", "a"))
    assert issues(*rows, runs=runs) == ["expired", "expired", "rows missing"]


# Other syncs do not count: one has no rows, the other one has them earlier.
def test_syncs_are_independent() -> None:
    runs = (reporting("1", 1) | {"sync_id": "empty"}, reporting("2", 2))
    assert issues(logged("2", "a"), runs=runs) == ["switched off", "expired"]


# The first stage that is reported is compared, even if another one differs the other way.
@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        *[
            ((0, 9), "more than reported"),
            ((2, 0), "expired"),
            ((None, 0, 9), "more than reported"),
        ],
        *[((None, None, 0, 9), "more than reported"), ((None, None, None, 1), "expired")],
        *[((1, 2), "other outcomes"), ((None, 1, 0, 1), "other outcomes")],
        *[((None, None, 1, 1), "other outcomes"), ((1, None, None, 1), "other outcomes")],
    ],
)
def test_the_compared_stage(sums: tuple[int | None, ...], expected: str) -> None:
    assert issues(*ONE, runs=(reporting("1", *sums),)) == [expected]


# Nobody knows what a run that is open or was aborted, or of which nothing is reported, should have.
@pytest.mark.parametrize(
    ("run", "expected"),
    [
        *[(reporting("1", 1), True), (reporting("1", None, None, None, 0), True)],
        *[(reporting("1"), None), (reporting("1", 1, finished=False), None)],
        *[(reporting("1", 2, finished=False), None), (reporting("1", 2, status="failed"), None)],
        *[(reporting("1", 2), False), (reporting("1", 0), False), (reporting("1", 1, 2), False)],
    ],
)
def test_a_log_is_complete(run: Row, expected: bool | None) -> None:
    (found,) = coverage_of(seen(*ONE, runs=(run,)), "sync_runs")
    assert found["is_log_complete"] is expected


def test_a_lake_is_incomplete_only_where_a_file_is_unreadable() -> None:
    files = (batch("1", row("a", "upsert", "succeeded")), unreadable("2"))
    found = rows_of(built(*files), "sync_runs")
    assert picked(found, "sync_run_id is_log_complete") == [("1", None), ("2", False)]


# The vendor's key is the run, row_id and op_type; a null is a value like others.
def test_duplicates() -> None:
    rows = (logged("1", "a"), logged("1", "a", status="failed"), logged("1", "a", "changed"))
    nulls = (logged("1", None), logged("1", None), logged("2", "a"))
    assert picked(coverage(*rows, *nulls), COUNTS) == [(3, 0, 2), (1, 0, 0)]


# A run without rows has none that were deleted.
def test_a_run_without_rows() -> None:
    assert picked(coverage(runs=(ran("1"),)), COUNTS) == [(0, 0, 0)]


# As long as a run has rows, it is read again. Then its duplicates stay as they were.
def test_deleted_rows() -> None:
    steps = (
        (seen(*ONE, *ONE, *ONE, logged("1", "b"), logged("1", "b")), (2, 0, 3)),
        (seen(*ONE, *ONE), (2, 1, 1)),
        (seen(), (2, 2, 1)),
        (seen(logged("2", "a")), (2, 2, 1)),
        (seen(logged("1", "b"), logged("1", "c")), (3, 1, 0)),
        (seen(logged("1", "b"), *ONE, logged("1", "c")), (3, 0, 0)),
    )
    known = seen()
    for content, expected in steps:
        known = merge(known, content)
        assert picked(coverage_of(known)[:1], COUNTS) == [expected]


# A deleted row is still logged, so it is not missing.
def test_deleted_rows_are_no_issue() -> None:
    known = merge(seen(*ONE, runs=(reporting("1", 1),)), seen(runs=(reporting("1", 1),)))
    assert picked(coverage_of(known), "deleted_row_count issue") == [(1, None)]


PRUNED = seen(*ONE, *ONE, logged("2", "b"), runs=(reporting("1", 3), reporting("2", 2)))


def retained(source: HightouchTables, earlier: Retained | None = None) -> Retained:
    return (earlier or Retained()).built(Lake(), AS_OF, other_runs=runs_of(source))


# A pruned run keeps its counts, and explains the runs after it. A late run is read, but counts not.
def test_pruned_runs() -> None:
    pruned = retained(PRUNED).after_prune(before(15))
    columns = f"sync_run_id reported_planned_count logged_planned_count {COUNTS} issue"
    expected = [("1", 3, 1, 1, None, None, "pruned"), ("2", 2, 1, 1, 0, 0, "rows missing")]
    assert picked(rows_of(pruned, "log_coverage"), columns) == expected
    # the run is not read any more, and its place in the order is before the first one
    late = merge(PRUNED, seen(logged("0", "c"), logged("2", "b"), runs=(reporting("0", 4),)))
    found = rows_of(retained(late, pruned), "log_coverage")
    assert picked(found, columns) == [*expected, ("0", 4, 0, 1, 0, 0, "pruned")]


def test_a_lake_with_a_run_that_is_too_late() -> None:
    pruned = built(sent("1", 5, "a"), sent("2", 9, "b")).after_prune(before(6))
    found = rows_of(pruned.built(lake_of(sent("3", 4, "c", "d")), at(10_000)), "log_coverage")
    columns = f"sync_run_id logged_planned_count {COUNTS} issue"
    assert picked(found, columns) == [
        *[("1", 1, 1, None, None, "pruned"), ("2", 1, 1, None, None, None)],
        ("3", 0, 2, None, None, "pruned"),
    ]


# A purged record was never logged, so the vendor reports more.
def test_a_purge() -> None:
    source = seen(*ONE, logged("1", "b"), runs=(reporting("1", 2),))
    purged = retained(source, retained(source).after_purge(Purge("o", "a")))
    found = rows_of(purged, "log_coverage")
    assert picked(found, "stored_row_count issue") == [(1, "expired")]


# Random histories have every case, and those of the first seeds, which are built, nearly all.
@pytest.mark.parametrize(("seeds", "rare"), [(range(13), set()), (range(130), {"not settled"})])
def test_every_case_occurs_in_random_histories(seeds: range, rare: set[str]) -> None:
    histories = [random_hightouch(seed) for seed in seeds]
    found = [
        row
        for history in histories
        for step in range(len(history.steps))
        for row in expected_tables([history], step)["log_coverage"]
    ]
    assert {row["issue"] for row in found} == rare | {
        *(None, "aborted", "switched off", "expired", "rows missing", "more than reported"),
        "other outcomes",
    }
    gone = {(bool(row["deleted_row_count"]), bool(row["duplicate_row_count"])) for row in found}
    assert len(gone) == 4
