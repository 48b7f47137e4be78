"""Files that no schema promised: other physical types are read, what cannot be read is listed."""

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from conftest import Warehouse

ENDED = datetime(2026, 1, 1, 6, 30, 15, 456789, tzinfo=timezone.utc)
NANOSECONDS = pa.array([ENDED, ENDED], pa.timestamp("ns", tz="UTC"))
TEXTS = ["2026-01-01T06:30:15.456789Z", "2026-01-01T07:30:15.456789+01:00"]

# columns of each file, and the identifiers that they must be read as; all batches ended at ENDED
READABLE: dict[str, tuple[dict[str, Any], list[str | None]]] = {
    "plain.1": ({"identifier": ["a", "b"], "batch_ended_at": [ENDED, ENDED]}, ["a", "b"]),
    "integers.2": (
        {"identifier": [7, 12345678901], "batch_ended_at": [ENDED] * 2},
        ["7", "12345678901"],
    ),
    "floats.3": ({"identifier": [8.0, None], "batch_ended_at": [ENDED] * 2}, ["8", None]),
    "nanoseconds.4": ({"identifier": ["c", "d"], "batch_ended_at": NANOSECONDS}, ["c", "d"]),
    "texts.5": ({"identifier": ["e", "f"], "batch_ended_at": TEXTS}, ["e", "f"]),
    "no_type.6": (
        {"identifier": ["g", "h"], "status_message": [None] * 2, "batch_ended_at": [ENDED] * 2},
        ["g", "h"],
    ),
    "more_nanoseconds.7": ({"identifier": ["i", "j"], "batch_ended_at": NANOSECONDS}, ["i", "j"]),
    "lacks_times.8": ({"identifier": [1, 2]}, ["1", "2"]),
}


def write_lake(lake: Path) -> None:
    run = lake / "sync_tracking_datasets" / "org" / "sync 1" / "run 1"
    run.mkdir(parents=True)
    for name, (columns, _) in READABLE.items():
        common = {"operation": ["upsert"] * 2, "status": ["succeeded"] * 2}
        pq.write_table(pa.table({**columns, **common}), run / f"{name}.parquet")
    whole = (run / "plain.1.parquet").read_bytes()
    (run / "truncated.9.parquet").write_bytes(whole[: len(whole) // 2])
    (run / "text.10.parquet").write_text("this is no parquet")
    (run / "notes.txt").write_text("beside the layout")
    facts = lake / "metadata" / "org"
    facts.mkdir(parents=True)
    untyped = {"id": [7, 8], "type": ["braze", "s3"], "name": [None, None]}
    pq.write_table(pa.table(untyped), facts / "destinations.parquet")
    pq.write_table(pa.table({"id": ["m"], "name": ["Leads"]}), facts / "source_objects.parquet")


def test_all_that_can_be_read_is_read_and_the_rest_is_listed(
    warehouse: Callable[[str], Warehouse],
) -> None:
    built = warehouse("odd_files")
    write_lake(built.lake)

    assert not built.dbt("build")
    failed = [one.node.name for one in built.results if str(one.status) in ("error", "fail")]
    assert sorted(failed) == ["assert_every_file_is_readable", "assert_every_file_passes_the_audit"]

    expected = sorted(
        (f"{name}.parquet", index, identifier, None if name == "lacks_times.8" else ENDED)
        for name, (_, identifiers) in READABLE.items()
        for index, identifier in enumerate(identifiers)
    )
    records = built.rows("sync_records")
    assert expected == sorted(
        (row["file_name"], row["row_index"], row["identifier"], in_utc(row["batch_ended_at"]))
        for row in records
    )
    assert {row["status_message"] for row in records} == {None}
    assert len(built.rows("sync_changelog")) == len(expected)

    destinations = {(row["id"], row["type"], row["name"]) for row in built.rows("destinations")}
    assert destinations == {("7", "braze", None), ("8", "s3", None)}
    assert [(row["id"], row["name"]) for row in built.rows("source_objects")] == [("m", "Leads")]

    issues = {Path(row["file_path"]).name: row["issue"] for row in built.rows("lake_file_issues")}
    assert issues == {
        "truncated.9.parquet": "not a parquet file",
        "text.10.parquet": "not a parquet file",
        "notes.txt": "beside the layout",
    }


def in_utc(moment: datetime | None) -> datetime | None:
    """A time as Spark's Python gives it: naive, in the zone of the process."""
    return moment.astimezone(timezone.utc) if moment is not None else None
