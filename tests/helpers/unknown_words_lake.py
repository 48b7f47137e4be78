"""A lake with unknown words, and its tables before and after the words are mapped."""

import json
from datetime import datetime, timedelta
from typing import Any

from conftest import Warehouse
from helpers.growing_warehouse import ALL, Contents, contents
from oracle.building import at
from oracle.writing import LakeFile, ParquetFile, TextFile

ORGANIZATION = "sync_tracking_datasets/o"
COLUMNS = ("identifier", "operation", "status", "record_payload", "batch_ended_at")
NOW = at(1000)
WORDS = {
    "operation": {"Push": "upsert", "it's ${gone}\\": "delete"},
    "status": {"synced": "succeeded", "blocked": "failed"},
    "run_status": {"halted": "failed"},
}


def batch(run: str, minute: int, *rows: tuple[str, str, str]) -> ParquetFile:
    """A batch of a run, one row per record: identifier, operation, status."""
    logged = tuple(
        dict(zip(COLUMNS, (*row, f'{{"n": {minute}}}', at(minute)), strict=True)) for row in rows
    )
    return ParquetFile(f"{ORGANIZATION}/{run}/b.1.parquet", COLUMNS, logged)


def ended(run: str, minute: int, status: str) -> TextFile:
    """The metadata of a run that ended at a minute, with the vendor's status."""
    described = {
        "sync_run_started_at": f"{at(minute):%Y-%m-%dT%H:%M:%SZ}",
        "sync_run_finished_at": f"{at(minute):%Y-%m-%dT%H:%M:%SZ}",
        "sync_run_status": status,
    }
    return TextFile(f"{ORGANIZATION}/{run}/metadata.json", json.dumps(described))


LAKE: tuple[LakeFile, ...] = (
    # in the sync s, the second run has unknown words
    batch("s/1", 1, ("a", "upsert", "succeeded"), ("b", "upsert", "succeeded")),
    batch(
        "s/2",
        2,
        ("a", "IT'S ${GONE}\\", " Synced"),
        ("b", "upsert", "Blocked"),
        ("c", "push", "synced"),
    ),
    batch("s/3", 3, ("c", "upsert", "succeeded")),
    # in the sync t, only the reported status of a run is unknown
    batch("t/1", 1, ("a", "upsert", "succeeded")),
    ended("t/1", 1, "Halted"),
)
UNKNOWN = {
    ("s", "1", "a", "added", "succeeded", None),
    ("s", "1", "b", "added", "succeeded", None),
    ("s", "2", "a", "changed", "failed", "Unrecognised status:  Synced"),
    ("s", "2", "b", "changed", "failed", "Unrecognised status: Blocked"),
    ("s", "2", "c", "added", "failed", "Unrecognised status: synced"),
    ("s", "3", "c", "added", "succeeded", None),
    ("t", "1", "a", "added", "succeeded", None),
}
KNOWN = {
    ("s", "1", "a", "added", "succeeded", None),
    ("s", "1", "b", "added", "succeeded", None),
    ("s", "2", "a", "removed", "succeeded", None),
    # a rejected row without a message from the destination
    ("s", "2", "b", "changed", "failed", None),
    ("s", "2", "c", "added", "succeeded", None),
    ("s", "3", "c", "changed", "succeeded", None),
    ("t", "1", "a", "added", "succeeded", None),
}


def build(built: Warehouse, words: dict[str, dict[str, str]] | None) -> None:
    """Build the models with these words."""
    assert built.dbt("run", variables=settings(words)), built.failures()


def settings(words: dict[str, dict[str, str]] | None) -> str:
    """The variables of a command that runs long after all runs have settled."""
    as_of: datetime = NOW + timedelta(days=1)
    return json.dumps({"sync_logs_as_of": as_of.isoformat(), "sync_logs_words": words})


def changelog(built: Warehouse) -> set[tuple[Any, ...]]:
    """What each run did to each record."""
    shown = ("sync_id", "sync_run_id", "row_id", "op_type", "status", "failure_reason")
    return {tuple(row[name] for name in shown) for row in built.rows("sync_changelog")}


def status_of_halted(built: Warehouse) -> Any:
    """The status of the run that the vendor reports as halted."""
    (run,) = [row for row in built.rows("sync_runs") if row["sync_id"] == "t"]
    return run["status"]


def everything(built: Warehouse) -> Contents:
    """All documented tables."""
    return contents(built.tables(ALL))


def last_load(built: Warehouse, *columns: str) -> tuple[Any, ...]:
    """Some columns of `sync_loads` for the last build or operation."""
    row = max(built.rows("sync_loads"), key=lambda one: str(one["load_id"]))
    return tuple(row[column] for column in columns)
