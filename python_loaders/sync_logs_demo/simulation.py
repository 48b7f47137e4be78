"""Runs the demo's syncs: what each run sends, and how the destination answers."""

import sqlite3
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from sync_logs_demo.destination import Destination
from sync_logs_demo.segments import repaired_price
from sync_logs_demo.source import SourceRow, roll
from sync_logs_demo.syncs import DemoSync
from sync_logs_loader.config import RunKey

ROWS_PER_REQUEST = 50
_REQUEST_PACE = timedelta(seconds=30)
_REQUEST_TIME = timedelta(seconds=20)
# Requests after which the log of an unfinished run ends; rows accepted before a failure.
_UNFINISHED_REQUESTS = 1
ROWS_BEFORE_ABORT = 12
ORDERS_CLOSE_EVERY = 4


@dataclass(frozen=True)
class LoggedRow:
    """One attempt, or one row that was not sent; times are UTC."""

    key: RunKey
    identifier: str | None
    record_payload: str
    operation: str
    status: str
    status_message: str | None
    batch_started_at: datetime
    batch_ended_at: datetime
    internal_id: str


@dataclass(frozen=True)
class DemoRun:
    """One run: its log, and what is known about it as a whole (`failure` if it was aborted)."""

    sync: DemoSync
    number: int
    rows: tuple[LoggedRow, ...]
    failure: str | None
    is_finished: bool


@dataclass(frozen=True)
class Planned:
    """A row to be sent."""

    operation: str
    row: SourceRow


def simulate(sync: DemoSync, run_count: int) -> list[DemoRun]:
    """Runs 1 to `run_count` of a sync, always the same."""
    simulation = Simulation(sync)
    try:
        return [simulation.run(number) for number in range(1, run_count + 1)]
    finally:
        simulation.destination.close()


class _RunLog:
    """Collects the rows of one run and tracks its time."""

    def __init__(self, key: RunKey, started_at: datetime) -> None:
        self.rows: list[LoggedRow] = []
        self._key = key
        self._started_at = started_at
        self._ended_at = started_at

    def next_request(self) -> None:
        """Advance the time until the next request has been answered."""
        if self._ended_at > self._started_at:
            self._started_at += _REQUEST_PACE
        self._ended_at = self._started_at + _REQUEST_TIME

    def add(self, planned: Planned, status: str, message: str | None = None) -> None:
        """Log one row as part of the current request."""
        name = f"{'/'.join((self._key.organization_id, self._key.sync_id))}/{self._key.sync_run_id}"
        internal_id = uuid.uuid5(uuid.NAMESPACE_URL, f"{name}/{len(self.rows)}")
        self.rows.append(
            LoggedRow(
                self._key,
                planned.row.key,
                planned.row.payload,
                planned.operation,
                status,
                message,
                self._started_at,
                self._ended_at,
                str(internal_id),
            )
        )


class Simulation:
    """A sync between its runs: the destination, and what it is known to have accepted."""

    def __init__(self, sync: DemoSync) -> None:
        self.sync = sync
        self.destination = Destination(sync.table, sync.key)
        self._accepted: dict[str, SourceRow] = {}
        self._waiting: list[Planned] = []
        if sync.mode == "update":
            # The rows of an update sync already exist in the destination; it never creates any.
            for row in sync.query(0):
                if self.destination.apply("insert", row) is None:
                    self._accepted[str(row.key)] = row

    def run(self, number: int) -> DemoRun:
        """Carry out one run."""
        sync = self.sync
        log = _RunLog(sync.run_key(number), sync.started_at(number))
        if number in sync.empty_runs:
            return DemoRun(sync, number, (), None, True)
        if sync.mode == "mirror":
            self.destination.empty()
        if sync.mode == "audience" and number % ORDERS_CLOSE_EVERY == 0:
            self.destination.close_orders()
        rows = sync.query(number)
        log.next_request()
        withheld = self._log_invalid(rows, number, log)
        planned = self._plan([row for row in rows if row.key not in withheld], withheld)
        is_unfinished = number == sync.unfinished_run
        if is_unfinished:
            planned = planned[: _UNFINISHED_REQUESTS * ROWS_PER_REQUEST]
        failure = self._send(planned, log, number == sync.aborted_run)
        return DemoRun(sync, number, tuple(log.rows), failure, not is_unfinished)

    def _log_invalid(self, rows: list[SourceRow], number: int, log: _RunLog) -> set[str | None]:
        """Log rows that are invalid before anything is sent; returns keys that are not sent."""
        withheld: set[str | None] = set()
        scope = (self.sync.organization_id, self.sync.sync_id, number)
        for row in rows:
            dice = roll(row.key, "duplicate", *scope) % 400
            copy = Planned(self.sync.operation, row)
            if self.sync.mode != "append" and dice < 2:
                log.add(copy, "DUPLICATE")
                if dice == 0:
                    # Both copies are refused, because it is unknown which one is right.
                    log.add(copy, "DUPLICATE")
                    withheld.add(row.key)
            elif dice == 2:
                nameless = SourceRow(None, {**row.fields, self.sync.key: None})
                log.add(Planned(self.sync.operation, nameless), "NULL")
        return withheld

    def _plan(self, rows: list[SourceRow], withheld: set[str | None]) -> list[Planned]:
        operation = self.sync.operation
        if self.sync.mode == "append":
            waiting, self._waiting = self._waiting, []
            return [*waiting, *(Planned(operation, row) for row in rows)]
        if self.sync.mode == "mirror":
            return [Planned(operation, row) for row in rows]
        if self.sync.mode == "update":
            rows = [row for row in rows if row.key in self._accepted]
        changed = [row for row in rows if self._accepted.get(str(row.key)) != row]
        planned = [Planned(operation, row) for row in changed]
        if self.sync.mode == "audience":
            present = {row.key for row in rows} | withheld
            gone = [row for key, row in self._accepted.items() if key not in present]
            planned += [Planned("delete", row) for row in gone]
        return sorted(planned, key=lambda plan: str(plan.row.key))

    def _send(self, planned: list[Planned], log: _RunLog, is_aborted: bool) -> str | None:
        """Send all requests. Returns the destination's message if it failed in the middle."""
        for start in range(0, len(planned), ROWS_PER_REQUEST):
            log.next_request()
            in_the_way = []
            for position in range(start, min(start + ROWS_PER_REQUEST, len(planned))):
                if is_aborted and position == ROWS_BEFORE_ABORT:
                    self.destination.revoke()
                try:
                    message = self._attempt(planned[position], log)
                except sqlite3.OperationalError as error:
                    for unsent in planned[position:]:
                        log.add(unsent, "aborted", str(error))
                    self.destination.grant()
                    return str(error)
                if message is not None and message.startswith("UNIQUE"):
                    in_the_way.append(planned[position])
            self._retry(in_the_way, log)
        return None

    def _retry(self, refused: list[Planned], log: _RunLog) -> None:
        """Retry rows that blocked each other; the request has resolved some of the conflicts."""
        if refused:
            log.next_request()
        for plan in refused:
            self._attempt(plan, log)

    def _attempt(self, plan: Planned, log: _RunLog) -> str | None:
        message = self.destination.apply(plan.operation, plan.row)
        log.add(plan, "succeeded" if message is None else "rejected", message)
        if message is not None:
            # Other modes compare with the source, so they send a refused row again anyway. A row
            # that repeats an accepted one will never be accepted.
            if self.sync.mode == "append" and not message.startswith("UNIQUE"):
                self._waiting.append(Planned(plan.operation, repaired_price(plan.row)))
        elif plan.operation == "delete":
            del self._accepted[str(plan.row.key)]
        elif self.sync.mode in ("upsert", "update", "audience"):
            self._accepted[str(plan.row.key)] = plan.row
        return message
