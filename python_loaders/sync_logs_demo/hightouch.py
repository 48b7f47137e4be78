"""The second vendor of the demo: a sync that ended on Census goes on at Hightouch.

Hightouch compares the model with what it has sent itself, so its first run adds every record again.
It never removes records that have left the model before that. Its tables have the columns of
Hightouch's Warehouse Sync Logs. Every call writes the same rows and, if there are more runs, more.
"""

import json
import os
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sync_logs_demo.destination import Destination
from sync_logs_demo.simulation import ORDERS_CLOSE_EVERY, ROWS_BEFORE_ABORT, Simulation
from sync_logs_demo.source import SourceRow
from sync_logs_demo.syncs import BASE_RUNS, DEMO_SYNCS

SOURCE = "hightouch"
ORGANIZATION_ID = "borealis"
SYNC_ID = 880
CHANGELOG = "sync_changelog"
RUNS = "sync_runs"
# runs when the lake has its first runs; each further run of the lake is one more
FIRST_RUNS = 4
# the run whose log lacks rows, and the one that breaks off
INCOMPLETE_RUN = 2
ABORTED_RUN = 3
(MOVED_SYNC,) = (sync for sync in DEMO_SYNCS if sync.last_run is not None)

_FIRST_RUN_ID = 71_001
_RUN_TIME = timedelta(seconds=40)
_SUFFIXES = {"added": "add", "changed": "change", "removed": "remove"}


@dataclass(frozen=True)
class SentRow:
    """What a run did with a record."""

    op_type: str
    row: SourceRow
    status: str
    failure_reason: str | None


@dataclass(frozen=True)
class HightouchRun:
    """One run: all that it did, and the message that ended it if it broke off."""

    number: int
    rows: tuple[SentRow, ...]
    error: str | None

    @property
    def run_id(self) -> int:
        """The id of the run."""
        return _FIRST_RUN_ID + self.number - 1

    @property
    def started_at(self) -> datetime:
        """Daily, as on Census, from the day after the last run there."""
        return MOVED_SYNC.started_at(_model_version(self.number))

    @property
    def finished_at(self) -> datetime:
        """The end of the run, which is the time of its rows."""
        return self.started_at + _RUN_TIME

    @property
    def logged_rows(self) -> list[SentRow]:
        """The rows in the log. One log lacks every second change."""
        if self.number != INCOMPLETE_RUN:
            return list(self.rows)
        changes = [row for row in self.rows if row.op_type == "changed"]
        lost = {row.row.key for row in changes[::2]}
        return [row for row in self.rows if row.row.key not in lost]


def write_hightouch_tables(folder: Path, run_count: int) -> list[HightouchRun]:
    """Write both tables, each as one file, with `run_count` runs; returns the runs."""
    runs = simulate_hightouch(run_count)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder, CHANGELOG, [_changelog_row(run, row) for run in runs for row in run.logged_rows])
    _write(folder, RUNS, [_run_row(run) for run in runs])
    return runs


def run_count_beside(last_run_of_lake: int) -> int:
    """How many runs Hightouch has when the lake has a number of runs of each sync."""
    return FIRST_RUNS + last_run_of_lake - BASE_RUNS


def sources(lake: Path, folder: Path) -> list[dict[str, object]]:
    """The setting `sync_logs_sources` for the demo lake and these tables."""
    return [
        {"name": "lake", "type": "census_lake", "path": str(lake)},
        {
            "name": SOURCE,
            "type": "hightouch",
            "organization_id": ORGANIZATION_ID,
            "relations": {
                name: _relation(folder / f"{name}.parquet") for name in (CHANGELOG, RUNS)
            },
        },
    ]


def simulate_hightouch(run_count: int) -> list[HightouchRun]:
    """Runs 1 to `run_count`, always the same."""
    census = Simulation(MOVED_SYNC)
    try:
        for number in range(1, BASE_RUNS + 1):
            census.run(number)
        hightouch = Hightouch(census.destination)
        return [hightouch.run(number) for number in range(1, run_count + 1)]
    finally:
        census.destination.close()


class Hightouch:
    """The sync at Hightouch between its runs: the destination, and what it has sent itself."""

    def __init__(self, destination: Destination) -> None:
        """`destination` is as Census has left it."""
        self._destination = destination
        self._accepted: dict[str, SourceRow] = {}

    def run(self, number: int) -> HightouchRun:
        """Carry out one run."""
        if _model_version(number) % ORDERS_CLOSE_EVERY == 0:
            self._destination.close_orders()
        planned = self._plan(number)
        sent: list[SentRow] = []
        for position, (op_type, row) in enumerate(planned):
            if number == ABORTED_RUN and position == ROWS_BEFORE_ABORT:
                self._destination.revoke()
            try:
                sent.append(self._send(op_type, row))
            except sqlite3.OperationalError as error:
                self._destination.grant()
                unsent = [SentRow(*plan, "aborted", None) for plan in planned[position:]]
                return HightouchRun(number, (*sent, *unsent), str(error))
        return HightouchRun(number, tuple(sent), None)

    def _plan(self, number: int) -> list[tuple[str, SourceRow]]:
        """What differs from what Hightouch has sent, in the order of keys."""
        rows = {str(row.key): row for row in MOVED_SYNC.query(_model_version(number))}
        planned = [
            ("changed" if key in self._accepted else "added", row)
            for key, row in rows.items()
            if self._accepted.get(key) != row
        ]
        planned += [("removed", row) for key, row in self._accepted.items() if key not in rows]
        return sorted(planned, key=lambda plan: str(plan[1].key))

    def _send(self, op_type: str, row: SourceRow) -> SentRow:
        message = self._destination.apply("delete" if op_type == "removed" else "upsert", row)
        if message is not None:
            return SentRow(op_type, row, "rejected", message)
        if op_type == "removed":
            del self._accepted[str(row.key)]
        else:
            self._accepted[str(row.key)] = row
        return SentRow(op_type, row, "succeeded", None)


def _model_version(number: int) -> int:
    """The number that the run would have on Census."""
    return BASE_RUNS + number


def _changelog_row(run: HightouchRun, sent: SentRow) -> dict[str, object]:
    return {
        "sync_id": SYNC_ID,
        "sync_run_id": run.run_id,
        "op_type": sent.op_type,
        "row_id": sent.row.key,
        "status": sent.status,
        "failure_reason": sent.failure_reason,
        "fields": json.dumps(sent.row.fields, ensure_ascii=False),
    }


def _run_row(run: HightouchRun) -> dict[str, object]:
    counts = {
        f"num_{measure}_{suffix}": sum(
            row.op_type == op_type and row.status in statuses for row in run.rows
        )
        for measure, statuses in (
            ("planned", ("succeeded", "rejected", "aborted")),
            ("attempted", ("succeeded", "rejected")),
            ("succeeded", ("succeeded",)),
            ("failed", ("rejected",)),
        )
        for op_type, suffix in _SUFFIXES.items()
    }
    return {
        "sync_id": SYNC_ID,
        "sync_run_id": run.run_id,
        "primary_key": MOVED_SYNC.key,
        "destination": MOVED_SYNC.destination_type,
        "model_name": MOVED_SYNC.model_name,
        "model_id": 93,
        "status": "failed" if run.error else "success",
        "error": run.error,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        **counts,
    }


def _write(folder: Path, name: str, rows: Sequence[dict[str, object]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int64(), datetime: pa.timestamp("us", tz="UTC")}
    # a column without any value is text
    kinds = {
        column: next((type(row[column]) for row in rows if row[column] is not None), str)
        for column in rows[0]
    }
    schema = pa.schema([(column, types[kind]) for column, kind in kinds.items()])
    unfinished = folder / f".{name}.parquet"
    pq.write_table(pa.Table.from_pylist(list(rows), schema), unfinished)
    # so that nobody reads half a file
    os.replace(unfinished, folder / f"{name}.parquet")


def _relation(file: Path) -> str:
    """The file as a table: Spark reads it without a catalog."""
    # otherwise these characters would be patterns of file names
    path = re.sub(r"([][{}*?\\])", r"\\\1", str(file)).replace("`", "``")
    return f"parquet.`{path}`"
