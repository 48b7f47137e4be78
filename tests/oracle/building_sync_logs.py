"""Shortcuts to define small tables of Writeback and RudderStack in a test, with times in minutes.

There is one sync `s` of organisation `o`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from . import rudderstack, writeback
from .building import at
from .history import Run, Sync, in_order
from .rows import Row
from .sync_log_table import SYNC_LOG

Rows = Sequence[Row]


def sent(
    run: object,
    log_id: object,
    identifier: object = "a",
    status: str | None = "succeeded",
    *,
    ended: int | None = None,
    logged: int | None = None,
    **more: object,
) -> Row:
    """Create a row of Writeback's `sync_log`, an upsert unless more columns say otherwise."""
    columns = {"sync_id": "s", "sync_run_id": run, "log_id": log_id}
    columns |= {"record_identifier": identifier, "operation": "upsert", "status": status}
    columns |= {"batch_completed_at": _time(ended), "_census_logged_at": _time(logged)}
    return {**columns, **more}


def synced(
    run: object,
    key: object = "a",
    operation: str | None = "insert",
    status: str | None = "succeeded",
    *,
    started: int | None = None,
    finished: int | None = None,
    **more: object,
) -> Row:
    """Create a row of RudderStack's `sync_log`."""
    columns = {"connection_id": "s", "sync_run_id": run, "primary_key": key}
    columns |= {"operation": operation, "status": status}
    times = {"sync_started_at": _time(started), "sync_finished_at": _time(finished)}
    return {**columns, **times, **more}


def writeback_runs(*steps: Rows) -> dict[str, Run]:
    """Return the runs of a table of Writeback, by id, after these contents in turn."""
    return _by_id(writeback.runs_after, steps)


def rudderstack_runs(*steps: Rows) -> dict[str, Run]:
    """Return the runs of a table of RudderStack, by id, after these contents in turn."""
    return _by_id(rudderstack.runs_after, steps)


def syncs_of(runs: dict[str, Run], as_of: datetime) -> list[Sync]:
    """Order runs as of a time."""
    return in_order(runs.values(), as_of)


def _by_id(runs_after: Callable[..., list[Run]], steps: Sequence[Rows]) -> dict[str, Run]:
    found = runs_after("o", "x", [{SYNC_LOG: rows} for rows in steps])
    return {run.sync_run_id: run for run in found}


def _time(minute: int | None) -> datetime | None:
    return None if minute is None else at(minute)
