"""The lake as plain Python objects, including remembered files that have vanished."""

from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import cast

import pyarrow as pa
import pyarrow.parquet as pq

from .sources import LAKE, Source

RECORDS_FOLDER = "sync_tracking_datasets"
FACTS_FOLDER = "metadata"
FACT_TABLES = ("source_objects", "destinations", "destination_objects")
RUN_METADATA_NAME = "metadata.json"

FIRST_TIME = datetime(1, 1, 2, tzinfo=timezone.utc)

FactRow = dict[str, str | None]


@dataclass(frozen=True)
class LoggedRow:
    """One row of a batch file, as logged; missing columns are null."""

    identifier: str | None = None
    record_payload: str | None = None
    operation: str | None = None
    status: str | None = None
    status_message: str | None = None
    batch_started_at: datetime | None = None
    batch_ended_at: datetime | None = None


@dataclass(frozen=True)
class BatchFile:
    """One batch file; `rows` is None if the file cannot be read."""

    path: str
    rows: tuple[LoggedRow, ...] | None


@dataclass(frozen=True)
class Lake:
    """Everything in a lake, by path relative to its root.

    The text of a `metadata.json` is None if it is not UTF-8. The rows of a fact file are None if
    it cannot be read.
    """

    files: dict[str, BatchFile] = field(default_factory=dict)
    metadata: dict[str, str | None] = field(default_factory=dict)
    facts: dict[str, tuple[FactRow, ...] | None] = field(default_factory=dict)
    source: Source = LAKE


def merge(old: Lake, new: Lake) -> Lake:
    """Return every file ever seen: the newer version of a path wins, and vanished files stay."""
    return Lake(
        files={**old.files, **new.files},
        metadata={**old.metadata, **new.metadata},
        facts={**old.facts, **new.facts},
        source=new.source,
    )


def read_lake(root: str | Path) -> Lake:
    """Read all batch files, run metadata and fact files below `root`."""
    lake = Lake()
    for file in sorted(Path(root).rglob("*")):
        # Hidden files are those that a writer has not renamed into place yet.
        if not file.is_file() or file.name.startswith((".", "_")):
            continue
        path = file.relative_to(root).as_posix()
        parts = path.split("/")
        if parts[0] == RECORDS_FOLDER and len(parts) == 5:
            if file.name == RUN_METADATA_NAME:
                lake.metadata[path] = _read_text(file)
            elif file.name.endswith(".parquet"):
                lake.files[path] = BatchFile(path, _read_rows(file))
        elif parts[0] == FACTS_FOLDER and len(parts) == 3 and fact_table(file.name) is not None:
            lake.facts[path] = _read_facts(file)
    return lake


def fact_table(file_name: str) -> str | None:
    """Return the fact table that a file in the metadata folder belongs to."""
    for table in FACT_TABLES:
        if file_name.startswith(table) and file_name.endswith(".parquet"):
            return table
    return None


def as_utc(value: datetime) -> datetime:
    """Read a time without a zone as UTC."""
    if value.tzinfo is None:
        return value.replace(tzinfo=timezone.utc)
    return value.astimezone(timezone.utc)


def _read_text(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _read_table(file: Path) -> list[dict[str, object]] | None:
    try:
        # Read from the handle: with a path, pyarrow would add partition columns from folder names.
        with file.open("rb") as handle:
            table = pq.read_table(handle, use_threads=False)
    except (pa.ArrowException, OSError):
        return None
    return cast(list[dict[str, object]], table.to_pylist())


def _read_rows(file: Path) -> tuple[LoggedRow, ...] | None:
    rows = _read_table(file)
    if rows is None:
        return None
    return tuple(_logged_row(row) for row in rows)


def _logged_row(row: dict[str, object]) -> LoggedRow:
    return LoggedRow(
        identifier=as_text(row.get("identifier")),
        record_payload=as_text(row.get("record_payload")),
        operation=as_text(row.get("operation")),
        status=as_text(row.get("status")),
        status_message=as_text(row.get("status_message")),
        batch_started_at=as_time(row.get("batch_started_at")),
        batch_ended_at=as_time(row.get("batch_ended_at")),
    )


def _read_facts(file: Path) -> tuple[FactRow, ...] | None:
    rows = _read_table(file)
    if rows is None:
        return None
    return tuple({name: as_text(value) for name, value in row.items()} for row in rows)


def as_text(value: object) -> str | None:
    """Read a value of any type as text."""
    return None if value is None else str(value)


def as_time(value: object) -> datetime | None:
    """Read a time as UTC; anything else is null."""
    found = as_utc(value) if isinstance(value, datetime) else None
    # programs that know no time write the first day of all
    return None if found is None or found < FIRST_TIME else found
