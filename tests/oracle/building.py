"""Shortcuts to define a small lake in a test: one sync `s` of organisation `o`."""

import json
from datetime import datetime, timedelta

from .lake import BatchFile, Lake, LoggedRow
from .random_words import DAY_ONE


def at(minute: int) -> datetime:
    """Return a time on the first day."""
    return DAY_ONE + timedelta(minutes=minute)


def row(
    identifier: str | None,
    operation: str | None,
    status: str | None,
    *,
    message: str | None = None,
    payload: str | None = None,
    started: int | None = None,
    ended: int | None = None,
) -> LoggedRow:
    """Create a row of a batch; its times are in minutes."""
    return LoggedRow(
        identifier=identifier,
        record_payload=payload,
        operation=operation,
        status=status,
        status_message=message,
        batch_started_at=None if started is None else at(started),
        batch_ended_at=None if ended is None else at(ended),
    )


def batch(
    run: str, *rows: LoggedRow, name: str = "b.1", sync: str = "s", organization: str = "o"
) -> BatchFile:
    """Create a batch file of a run."""
    path = f"sync_tracking_datasets/{organization}/{sync}/{run}/{name}.parquet"
    return BatchFile(path, rows)


def sent(
    run: str,
    minute: int | None,
    *identifiers: str | None,
    operation: str = "upsert",
    payload: str | None = None,
    **place: str,
) -> BatchFile:
    """Create a batch file of a run that sends records, with success, and ends at a minute."""
    rows = [row(one, operation, "succeeded", payload=payload, ended=minute) for one in identifiers]
    return batch(run, *rows, **place)


def unreadable(run: str) -> BatchFile:
    """Create a batch file that cannot be read."""
    return BatchFile(f"sync_tracking_datasets/o/s/{run}/broken.1.parquet", None)


def lake_of(*files: BatchFile, metadata: dict[str, object] | None = None) -> Lake:
    """Create a lake from batch files and the metadata of runs by run id.

    Metadata is the content of a JSON file, or its text.
    """
    texts = {
        f"sync_tracking_datasets/o/s/{run}/metadata.json": (
            content if isinstance(content, str) else json.dumps(content)
        )
        for run, content in (metadata or {}).items()
    }
    return Lake(files={file.path: file for file in files}, metadata={**texts})
