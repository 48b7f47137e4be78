"""A source of Hightouch with a snapshot and without a changelog, and what it gives, in short."""

from typing import Any

from oracle.building_hightouch import ran, syncs_in
from oracle.hightouch_snapshots import Content, seen_in
from oracle.rows import Row
from oracle.semantics import tables_of
from specification.small_lake_answers import Tables

RUN_1, RUN_2, RUN_3 = ran("1", 1, 5), ran("2", 11, 15), ran("3", 21, 25)
# Without a finish and a status, the run goes on.
RUN_2_GOES_ON = ran("2", 11)


def step(*rows: Row, runs: tuple[Row, ...] = (RUN_1,), changelog: tuple[Row, ...] = ()) -> Content:
    """Create the content of a source at one time: `rows` are those of its snapshot."""
    return {"sync_changelog": changelog, "sync_runs": runs, "sync_snapshot": rows}


def after(*steps: Content) -> Tables:
    """Compute the tables after builds that find these contents."""
    return tables_of(syncs_in(seen_in("o", steps)))


def outcomes(*steps: Content) -> set[tuple[Any, ...]]:
    """Return run, record, operation as logged, op_type and status of each row of the changelog."""
    tables = after(*steps)
    operations = {
        (row["sync_id"], row["sync_run_id"], row["identifier"]): row["operation"]
        for row in tables["sync_records"]
    }
    return {
        (
            *(row["sync_run_id"], row["row_id"]),
            operations[row["sync_id"], row["sync_run_id"], row["row_id"]],
            *(row["op_type"], row["status"]),
        )
        for row in tables["sync_changelog"]
    }


def added(run: str, *row_ids: str) -> set[tuple[Any, ...]]:
    """Return the outcomes of records that were added."""
    return {(run, row_id, "added", "added", "succeeded") for row_id in row_ids}


def delivered(*steps: Content) -> set[str]:
    """Return the records that are in."""
    return {row["row_id"] for row in after(*steps)["sync_snapshot"] if row["is_delivered"]}


def exits(*steps: Content) -> set[tuple[Any, ...]]:
    """Return record, run, time and whether it was observed of each exit."""
    columns = ("row_id", "exited_sync_run_id", "exited_at", "exit_observed")
    return {
        tuple(row[column] for column in columns)
        for row in after(*steps)["audience_memberships"]
        if row["exit_observed"] is not None
    }


def counts(*steps: Content, run: str = "1") -> tuple[int, int, int]:
    """Return how many rows of a run are stored, were deleted, and repeated a key."""
    (row,) = [row for row in after(*steps)["log_coverage"] if row["sync_run_id"] == run]
    return row["stored_row_count"], row["deleted_row_count"], row["duplicate_row_count"]
