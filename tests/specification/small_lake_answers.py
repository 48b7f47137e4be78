"""Shortcuts to compute the answers of a small lake, and to pick from tables and answers."""

from datetime import datetime
from typing import Any

from oracle import AlertRule, ErrorRule, compute_answers
from oracle.building import at, batch, lake_of, row, sent
from oracle.lake import BatchFile, LoggedRow

DAY = 24 * 60
AS_OF = at(100 * DAY)
Metadata = dict[str, object]
Rows = list[dict[str, Any]]
Tables = dict[str, Rows]


def answers(
    *files: BatchFile,
    metadata: Metadata | None = None,
    rules: tuple[ErrorRule, ...] = (),
    alert_rules: tuple[AlertRule, ...] = (),
    as_of: datetime = AS_OF,
) -> Tables:
    """Compute the answers of batch files and of metadata, which is given by run id."""
    lake = lake_of(*files, metadata=metadata)
    return compute_answers(lake, as_of, rules=rules, alert_rules=alert_rules)


def picked(rows: Rows, columns: str) -> list[tuple[Any, ...]]:
    """Pick columns of rows."""
    return [tuple(found[column] for column in columns.split()) for found in rows]


def column(rows: Rows, name: str) -> list[Any]:
    """Pick a column of rows."""
    return [found[name] for found in rows]


def intervals(found: Tables, row_id: str = "a") -> list[tuple[Any, ...]]:
    """List the memberships of a record: run, time, whether it was observed, of entry and exit."""
    columns = "entered_sync_run_id entered_at entry_observed"
    columns += " exited_sync_run_id exited_at exit_observed"
    rows = [one for one in found["audience_memberships"] if one["row_id"] == row_id]
    return picked(rows, columns)


def by(rows: Rows, key: str, columns: str) -> dict[Any, tuple[Any, ...]]:
    """Pick columns of rows, by a column that is unique in them."""
    found = {one[key]: tuple(one[column] for column in columns.split()) for one in rows}
    assert len(found) == len(rows)
    return found


def failed(identifier: str | None, message: str | None, ended: int = 0) -> LoggedRow:
    """Write a row that was sent and rejected."""
    return row(identifier, "upsert", "rejected", message=message, ended=ended)


def deleted(run: str, ended: int, *identifiers: str) -> BatchFile:
    """Write a batch of a run in which records were deleted."""
    return sent(run, ended, *identifiers, operation="delete", name="d.1")


def from_to(start: datetime, end: datetime) -> Metadata:
    """Write the metadata of a run that reports its start and its finish."""
    return {"sync_run_started_at": start.isoformat(), "sync_run_finished_at": end.isoformat()}


def log(text: str) -> list[BatchFile]:
    """Read "run identifier operation status, …"; a run's id is its end and its message."""
    rows: dict[str, list[LoggedRow]] = {}
    for words in text.split(", "):
        run, key, operation, status = words.split(" ")
        logged = row(key or None, operation, status, message=run, ended=int(run))
        rows.setdefault(run, []).append(logged)
    return [batch(run, *its_rows) for run, its_rows in rows.items()]


def in_turn(words: str, *ends: int | None) -> list[BatchFile]:
    """Write runs of a record, in this order, that end at these minutes; None: without times."""
    return [
        batch(str(n), row("a", "upsert", word, started=None if end is None else n, ended=end))
        for n, (word, end) in enumerate(zip(words.split(" "), ends, strict=True))
    ]
