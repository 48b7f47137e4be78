"""Shortcuts to define a small Hightouch source in a test: one sync `s` of organisation `o`."""

from .building import at
from .hightouch import HightouchTables, read_tables, runs_of
from .history import Sync, in_order
from .rows import Row


def logged(
    run: object,
    row_id: object,
    op_type: str | None = "added",
    status: str | None = "succeeded",
    **more: object,
) -> Row:
    """Create a row of `sync_changelog`, with more columns by name."""
    columns = {"sync_id": "s", "sync_run_id": run, "row_id": row_id}
    return {**columns, "op_type": op_type, "status": status, **more}


def held(
    row_id: object, op_type: str | None = "added", status: str | None = "succeeded", **more: object
) -> Row:
    """Create a row of `sync_snapshot`, with more columns by name."""
    return {"sync_id": "s", "row_id": row_id, "op_type": op_type, "status": status, **more}


def ran(
    run: object, started: int | None = None, finished: int | None = None, **more: object
) -> Row:
    """Create a row of `sync_runs`; its times are in minutes."""
    times = {
        "started_at": None if started is None else at(started),
        "finished_at": None if finished is None else at(finished),
    }
    return {"sync_id": "s", "sync_run_id": run, **times, **more}


def seen(*rows: Row, runs: tuple[Row, ...] = ()) -> HightouchTables:
    """Read the tables of a source."""
    return read_tables("o", {"sync_changelog": rows, "sync_runs": runs})


def syncs_in(found: HightouchTables) -> list[Sync]:
    """Order the runs that were seen, long after all of them."""
    return in_order(runs_of(found), at(10_000))
