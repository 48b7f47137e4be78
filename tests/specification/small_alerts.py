"""Shortcuts to write runs of many rows, and to pick from the alerts that they give."""

from typing import Any

from oracle.building import batch, row
from oracle.lake import BatchFile
from specification.small_lake_answers import Rows, answers, picked

COURSE = "opened_sync_run_id worsened_sync_run_id resolved_sync_run_id severity worst_severity"
Course = tuple[Any, ...]


def run_of(
    number: int,
    succeeded: int = 0,
    rejected: int = 0,
    invalid: int = 0,
    aborted: int = 0,
    *,
    operation: str = "upsert",
    first: int = 0,
    **place: str,
) -> BatchFile:
    """Write a run with rows of each kind; its id is the minute of its end.

    The records are numbered from `first`.
    """
    words = ["succeeded"] * succeeded + ["rejected"] * rejected
    words += ["DUPLICATE"] * invalid + ["aborted"] * aborted
    rows = [
        row(f"{first + n:04}", operation, word, message="no", ended=number)
        for n, word in enumerate(words)
    ]
    return batch(f"{number}", *rows, **place)


def alerts(*files: BatchFile, **more: Any) -> Rows:
    """Compute the alerts of batch files."""
    return answers(*files, **more)["sync_alerts"]


def courses(rule: str, *files: BatchFile, **more: Any) -> list[Course]:
    """Where the alerts of a rule open, worsen and are resolved, and how severe they are."""
    return picked([one for one in alerts(*files, **more) if one["rule"] == rule], COURSE)


def values(rule: str, *files: BatchFile, **more: Any) -> list[Course]:
    """Where the alerts of a rule open and are resolved, and the value that they have."""
    columns = "opened_sync_run_id resolved_sync_run_id value"
    return picked([one for one in alerts(*files, **more) if one["rule"] == rule], columns)
