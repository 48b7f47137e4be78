"""Tables of vendors as parquet files, written without Spark: for builds in their own processes."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from oracle.source_history import SOURCE_TYPES, SourceHistory, SourceTable

TYPES = {
    "string": pa.string(),
    "bigint": pa.int64(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def put(folder: Path, table: SourceTable | None) -> None:
    """Replace the file of a table, or delete it if there is no table."""
    shutil.rmtree(folder, ignore_errors=True)
    if table is None:
        return
    folder.mkdir(parents=True)
    columns = {
        name: pa.array([row.get(name) for row in table.rows], TYPES[type_])
        for name, type_ in table.columns.items()
    }
    pq.write_table(pa.table(columns), folder / "rows.parquet")


def write(folder: Path, histories: Sequence[SourceHistory], step: int) -> None:
    """Write the tables of all sources as they are in a step."""
    for history in histories:
        for name in tables_of(history):
            put(folder / history.source_name / name, history.step(step).tables.get(name))


def sources(folder: Path, histories: Sequence[SourceHistory]) -> list[Mapping[str, object]]:
    """The setting `sync_logs_sources` for these files."""
    return [
        {
            "name": history.source_name,
            "type": history.type,
            "organization_id": history.organization_id,
            "relations": {
                name: f"parquet.`{folder / history.source_name / name}`"
                for name in tables_of(history)
            },
        }
        for history in histories
    ]


def tables_of(history: SourceHistory) -> tuple[str, ...]:
    """The tables that a source of its type can have."""
    type_ = SOURCE_TYPES[history.type]
    return (*type_.tables, *type_.fact_tables)
