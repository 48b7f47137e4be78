"""Write files of a lake as a vendor would: whole, through a rename, in any physical shape."""

import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .lake import BatchFile, LoggedRow

TIME_COLUMNS = ("batch_started_at", "batch_ended_at")
# Coarser than the clock of any file system or listing, so that a rewrite is always visible.
REWRITE_SECONDS = 2


@dataclass(frozen=True)
class ParquetFile:
    """A parquet file: its columns in order, and rows that can lack any of them."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, object], ...]
    has_zoned_times: bool = False


@dataclass(frozen=True)
class TextFile:
    """A text file, or an invalid parquet file."""

    path: str
    text: str


LakeFile = ParquetFile | TextFile


def parquet(batch: BatchFile) -> ParquetFile:
    """A batch file that has every column."""
    columns = tuple(one.name for one in fields(LoggedRow))
    return ParquetFile(batch.path, columns, tuple(asdict(row) for row in batch.rows or ()))


def write_file(root: str | Path, file: LakeFile) -> None:
    """Write a file below `root`; a rewritten file gets a later modification time."""
    target = Path(root) / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    previous_time = target.stat().st_mtime if target.exists() else None
    # Hidden until it is whole, because readers of the lake could list half a file otherwise.
    unfinished = target.with_name(f"._{target.name}.unfinished")
    if isinstance(file, TextFile):
        unfinished.write_bytes(file.text.encode("utf-8"))
    else:
        with unfinished.open("wb") as handle:
            pq.write_table(_table(file), handle)
    unfinished.replace(target)
    if previous_time is not None:
        later = max(target.stat().st_mtime, previous_time + REWRITE_SECONDS)
        os.utime(target, (later, later))


def _table(file: ParquetFile) -> pa.Table:
    schema = pa.schema([(column, _type(column, file)) for column in file.columns])
    rows = [{column: row.get(column) for column in file.columns} for row in file.rows]
    return pa.Table.from_pylist(rows, schema=schema)


def _type(column: str, file: ParquetFile) -> pa.DataType:
    if column in TIME_COLUMNS:
        return pa.timestamp("us", tz="UTC" if file.has_zoned_times else None)
    return pa.string()
