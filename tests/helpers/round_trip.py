"""The documented tables of a lake, given to a build as the tables of Hightouch, and what follows.

Hightouch's tables have one outcome of each record in each run, and its op_type. A lake has more:
every attempt with its time and operation. So the second build cannot say the same of every record.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from oracle import SourceHistory, SourceStep, SourceTable, differences, read_lake
from oracle.answers_facts import byte_order
from oracle.hightouch import CHANGELOG, COUNT_COLUMNS, RUNS, STATUS_ORDER
from oracle.history import Attempt, Run, Sync, read_syncs
from oracle.lake import as_utc
from oracle.outcomes import final_attempt
from oracle.vocabulary import REACHED

Row = dict[str, object]
Tables = Mapping[str, Sequence[Row]]

CHANGELOG_COLUMNS = (
    *("sync_id", "sync_run_id", "op_type", "row_id", "status", "failed_reason", "fields"),
    "split_group",
)
TEXTS_OF_RUNS = (
    *("sync_id", "sync_run_id", "primary_key", "destination", "model_name", "model_id", "status"),
    "error",
)
TIMES_OF_RUNS = ("started_at", "finished_at")
RUN = ("organization_id", "sync_id", "sync_run_id")
RECORD_OF_RUN = (*RUN, "row_id")
MOST_LINES = 5

# What a vendor's tables cannot say, with the reason: tables, columns, and columns of one table.
UNSAID = {
    "sync_records": "attempts before the outcome, and rows that were not sent, are not logged",
    "sync_log": "attempts before the outcome are not logged",
    "log_coverage": "it compares what the vendor reports with what it logs; a lake reports nothing",
    "source_objects": "the vendor has no such facts",
    "destinations": "the vendor has no such facts",
    "destination_objects": "the vendor has no such facts",
    "source_name": "another source",
    "vendor": "another vendor",
    "payload_kind": "another vendor logs another kind of payload",
    "file_name": "a table, not a file",
    "row_index": "place in a table",
    "changelog_id": "made from the place",
    "has_metadata_file": "a run has a row in `sync_runs`, whether it had a file or not",
    "has_unreadable_files": "a table has no files",
    "first_batch_started_at": "the vendor logs no time of a row",
    "last_batch_ended_at": "the vendor logs no time of a row",
    "first_seen_at": "the vendor logs no time of a row; that of its run is compared elsewhere",
    "last_seen_at": "as first_seen_at",
    "first_attempted_at": "as first_seen_at",
    "first_added_at": "as first_seen_at",
    "last_succeeded_at": "as first_seen_at",
    "last_failed_at": "as first_seen_at",
    "record_history.entered_at": "as first_seen_at; the memberships have the time of the run",
    "audience_events.event_at": "as record_history.entered_at",
    "audience_members.entered_at": "as record_history.entered_at",
    "flapping_records.last_attempted_at": "as first_seen_at",
    "field_changes.changed_at": "as first_seen_at",
    "audience_events.is_observed": "an update is `added` or `changed`; compared in memberships",
    "audience_members.entry_observed": "as audience_events.is_observed",
    "record_status": "the vendor does not log rows that were not sent; here they are failed rows",
    "invalid_count": "as record_status",
    "invalid_rate": "as record_status",
    "rejection_rate": "as record_status: failed rows that were sent, by all that were sent",
    "sync_runs.record_count": "the number of attempts",
    "sync_statistics.median_run_seconds": "a lake knows the start of a run only if it is reported",
}


def as_sources(tables: Tables, as_of: datetime) -> list[SourceHistory]:
    """Give the changelog and the runs of each organisation as a source of its own."""
    organizations = sorted({str(row["organization_id"]) for row in tables[RUNS]})
    return [
        SourceHistory(
            type="hightouch",
            source_name=f"organization_{number}",
            organization_setting=organization,
            steps=(SourceStep(_tables_of(tables, organization), as_of),),
        )
        for number, organization in enumerate(organizations)
    ]


def _tables_of(tables: Tables, organization: str) -> dict[str, SourceTable]:
    changelog, runs = (
        [row for row in tables[name] if row["organization_id"] == organization]
        for name in (CHANGELOG, RUNS)
    )
    types = dict.fromkeys(TEXTS_OF_RUNS, "string") | dict.fromkeys(TIMES_OF_RUNS, "timestamp")
    types |= dict.fromkeys(COUNT_COLUMNS, "bigint")
    return {
        CHANGELOG: SourceTable(
            dict.fromkeys(CHANGELOG_COLUMNS, "string"),
            tuple({column: row[column] for column in CHANGELOG_COLUMNS} for row in changelog),
        ),
        RUNS: SourceTable(
            types, tuple({column: run[column] for column in types} for run in map(as_run, runs))
        ),
    }


def as_run(row: Row) -> Row:
    """Return a row of our `sync_runs` as the vendor has it.

    A vendor reports when a run began, which orders its runs, and no end of a run that goes on.
    """
    ended_at = row["finished_at"] if row["status"] is not None else None
    return row | {"started_at": row["order_at"], "finished_at": ended_at}


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


def leave_what_can_be_said(root: Path, as_of: datetime) -> None:
    """Delete the rows of a lake of which the changelog of a vendor cannot tell the effect."""
    # without a row, another one can be the first of its record
    while dropped := _unsaid_rows(root, as_of):
        for path, indexes in dropped.items():
            with (root / path).open("rb") as file:
                table = pq.read_table(file, use_threads=False)
            kept = [index for index in range(table.num_rows) if index not in indexes]
            pq.write_table(table.take(pa.array(kept, pa.int64())), root / path)


def _unsaid_rows(root: Path, as_of: datetime) -> dict[str, set[int]]:
    dropped: dict[str, set[int]] = {}
    for sync in read_syncs(read_lake(root), as_utc(as_of), 60):
        late = _late_starts(sync)
        for run in sync.runs:
            for attempt in unsaid(run, late):
                path = "/".join(("sync_tracking_datasets", *run.key, attempt.file_name))
                dropped.setdefault(path, set()).add(attempt.row_index)
    return dropped


def _late_starts(sync: Sync) -> set[str | None]:
    """Find the records whose first attempt that was sent is a delete."""
    first: dict[str | None, Attempt] = {}
    for run in sync.runs:
        for attempt in run.attempts:
            if attempt.record_status in REACHED:
                first.setdefault(attempt.identifier, attempt)
    return {row_id for row_id, attempt in first.items() if attempt.operation == "delete"}


def unsaid(run: Run, late: set[str | None]) -> list[Attempt]:
    """List the attempts of a run of which its changelog cannot tell the effect."""
    found = [one for one in run.attempts if not _has_told_effect(one, late)]
    by_record: dict[object, list[Attempt]] = {}
    for attempt in run.attempts:
        if attempt not in found:
            by_record.setdefault(attempt.identifier, []).append(attempt)
    for attempts in by_record.values():
        # a success before a failure: the outcome is the failure, and the record is in
        final = next((one for one in reversed(attempts) if one.record_status == "succeeded"), None)
        final = final or final_attempt(attempts)
        is_delete = final.operation == "delete"
        after = attempts.index(final) + 1
        for place, attempt in enumerate(attempts):
            # retries of the same kind, each of which was sent
            is_retry = attempt.record_status in REACHED and place < after
            if attempt is not final and (
                not is_retry or (attempt.operation == "delete") != is_delete
            ):
                found.append(attempt)
    return found


def _has_told_effect(attempt: Attempt, late: set[str | None]) -> bool:
    # They have no key, or no state; a mirror run takes out records that it does not name.
    if attempt.identifier is None or attempt.operation in ("append", "mirror", "unknown"):
        return False
    # Here, a row that was not sent counts as failed. So it would be the record's first attempt.
    is_sent = attempt.record_status in (*REACHED, "not_attempted")
    return is_sent or not (attempt.operation == "delete" or attempt.identifier in late)
