"""The documented tables of a lake, given to a build as the tables of Hightouch: what follows.

A second build that reads these tables must say the same again, as far as they can say it
(`said_by_hightouch`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from oracle import differences
from oracle.hightouch import CHANGELOG, RUNS, STATUS_ORDER
from oracle.lake import as_utc
from oracle.values import byte_order
from oracle.vocabulary import REACHED
from vendors.said_by_hightouch import TIMES_OF_RUNS, UNSAID, Row, Tables, as_run

RUN = ("organization_id", "sync_id", "sync_run_id")
RECORD_OF_RUN = (*RUN, "row_id")
MOST_LINES = 5


def expected_again(tables: Tables) -> dict[str, list[Row]]:
    """Return what the second build must say, from the tables of the first one."""
    runs = {key(row, RUN): as_run(row) for row in tables[RUNS]}
    until = _data_until(runs)
    again = {
        table: [
            row | {"data_until_at": until[key(row, RUN[:2])]} if "data_until_at" in row else row
            for row in rows
        ]
        for table, rows in tables.items()
    }
    again[RUNS] = [
        run
        | {"reported_status": run["status"]}
        | {f"num_invalid_{suffix}": 0 for suffix in ("add", "change", "remove")}
        for run in runs.values()
    ]
    again[CHANGELOG] = kept_rows(
        row | {"attempted_at": time_of(runs[key(row, RUN)])} for row in tables[CHANGELOG]
    )
    for table in ("sync_snapshot", "record_history"):
        again[table] = [
            row
            | {"last_attempted_at": time_of(runs[(*key(row, RUN[:2]), row["last_sync_run_id"])])}
            for row in again.get(table, ())
        ]
    again["audience_memberships"] = _memberships(again["audience_memberships"], runs)
    return again


def kept_rows(rows: Iterable[Row]) -> list[Row]:
    """Keep one of the rows with the key of Hightouch: the best one."""
    columns = (*RUN, "row_id", "op_type")
    best: dict[tuple[object, ...], Row] = {}
    for row in sorted(rows, key=_precedence):
        best.setdefault(key(row, columns), row)
    return list(best.values())


def _precedence(row: Row) -> tuple[object, ...]:
    status = "not_attempted" if row["status"] == "aborted" else str(row["status"])
    texts = (row[column] for column in ("failed_reason", "fields", "split_group"))
    return STATUS_ORDER.index(status), [byte_order(_text(one)) for one in texts]


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _memberships(rows: Sequence[Row], runs: Mapping[tuple[object, ...], Row]) -> list[Row]:
    """Give memberships the times of their runs; an entry is seen in every run but the first."""
    record = (*RUN[:2], "row_id")
    places = {name: place for place, name in enumerate(ordered_runs(runs.values()))}
    first_runs = {name[:2]: name for name in reversed(places)}.values()

    def run_of(row: Row, event: str) -> tuple[object, ...] | None:
        run_id = row[f"{event}_sync_run_id"]
        return None if run_id is None else (*key(row, RUN[:2]), run_id)

    def place(row: Row) -> tuple[object, ...]:
        run = run_of(row, "entered")
        return tuple(map(str, key(row, record))), -1 if run is None else places[run]

    again = []
    for _, of_record in groupby(sorted(rows, key=place), key=lambda row: key(row, record)):
        last: datetime | None = None
        for row in of_record:
            changed = dict(row)
            for event in ("entered", "exited"):
                run = run_of(row, event)
                if run is not None:
                    last = latest(last, time_of(runs[run]))
                changed[f"{event}_at"] = None if run is None else last
            entered = run_of(row, "entered")
            changed["entry_observed"] = entered is not None and entered not in first_runs
            again.append(changed)
    return again


def ordered_runs(rows: Iterable[Row]) -> list[tuple[object, ...]]:
    """Order runs as the rules do: by time, then by their ids as numbers, then as text."""

    def order(row: Row) -> tuple[object, ...]:
        at, run_id = row["order_at"], str(row["sync_run_id"])
        number = int(run_id) if run_id.isascii() and run_id.isdigit() else -1
        # numbers of more than 38 digits are text
        number = number if number < 10**38 else -1
        moment = as_utc(at) if isinstance(at, datetime) else None
        return moment is None, moment or 0, number < 0, number, run_id.encode()

    return [key(row, RUN) for row in sorted(rows, key=order)]


def _data_until(
    runs: Mapping[tuple[object, ...], Row],
) -> dict[tuple[object, ...], datetime | None]:
    until: dict[tuple[object, ...], datetime | None] = {}
    for run_key, run in runs.items():
        sync = run_key[:2]
        until[sync] = latest(until.get(sync), *(run[column] for column in TIMES_OF_RUNS))
    return until


def latest(*times: object) -> datetime | None:
    """Return the last of some times; null if there is none."""
    return max((as_utc(time) for time in times if isinstance(time, datetime)), default=None)


def time_of(run: Row) -> object:
    """Return the time of the rows of a run: its end, or else its start."""
    return run["finished_at"] or run["started_at"]


def key(row: Row, columns: Sequence[str]) -> tuple[object, ...]:
    """Return the values of some columns."""
    return tuple(row[column] for column in columns)


def differing_again(tables: Tables, found: Tables) -> dict[str, list[str]]:
    """How the tables of the second build differ, if the lake has nothing that cannot be said."""
    expected = expected_again(tables)
    return _differing(
        {table: _said(table, rows, tables) for table, rows in expected.items()},
        {table: _said(table, rows, tables) for table, rows in found.items()},
    )


def differing_in_part(tables: Tables, found: Tables) -> dict[str, list[str]]:
    """How the changelog and the runs differ that can be said of every lake."""
    expected = expected_again(tables)
    op_types: dict[tuple[object, ...], set[object]] = {}
    for row in tables[CHANGELOG]:
        op_types.setdefault(key(row, RECORD_OF_RUN), set()).add(row["op_type"])
    # of a record with several op_types, the vendor's rows have no order
    several = {
        record for record, names in op_types.items() if len(names) > 1 and record[-1] is not None
    }
    # a mirror run that goes on is settled by a later run if nobody knows that it is one
    unsettled = {key(row, RUN) for row in tables[RUNS] if row["status"] is None}

    def part(all_rows: Tables) -> dict[str, list[Row]]:
        return {
            CHANGELOG: [
                row for row in all_rows[CHANGELOG] if key(row, RECORD_OF_RUN) not in several
            ],
            RUNS: [
                {**row, "is_replacing": None, "is_settled": None}
                | ({"status": None, "reported_status": None} if key(row, RUN) in unsettled else {})
                for row in all_rows[RUNS]
            ],
        }

    return _differing(part(expected), part(found))


def _differing(expected: Tables, found: Tables) -> dict[str, list[str]]:
    lines = {}
    for table, rows in expected.items():
        if table not in UNSAID and rows:
            columns = [
                column
                for column in rows[0]
                if column not in UNSAID and f"{table}.{column}" not in UNSAID
            ]
            lines[table] = differences(rows, found[table], columns)[:MOST_LINES]
    return {table: told for table, told in lines.items() if told}


def _said(table: str, rows: Sequence[Row], tables: Tables) -> Sequence[Row]:
    if table != "field_changes":
        return rows
    # here, rows that were not sent count as failed, so their payloads are compared too
    compared = (*REACHED, "not_attempted")
    unsent = {
        (*key(row, RUN[:2]), row["identifier"])
        for row in tables["sync_records"]
        if row["record_status"] not in compared
    }
    return [row for row in rows if (*key(row, RUN[:2]), row["row_id"]) not in unsent]
