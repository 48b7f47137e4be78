"""Tables of vendors as parquet files, written without Spark: for builds in their own processes."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from oracle.source_history import SOURCE_TYPES, SourceHistory

TYPES = {
    "string": pa.string(),
    "bigint": pa.int64(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def put(
    root: Path, relation: str, types: Mapping[str, str], rows: Sequence[Mapping[str, object]]
) -> None:
    """Replace the file of a table, or delete it if it has no columns."""
    folder = root / relation
    shutil.rmtree(folder, ignore_errors=True)
    if not types:
        return
    folder.mkdir(parents=True)
    columns = {
        name: pa.array([row.get(name) for row in rows], TYPES[type_])
        for name, type_ in types.items()
    }
    pq.write_table(pa.table(columns), folder / "rows.parquet")


def sources(root: Path, histories: Sequence[SourceHistory]) -> list[Mapping[str, object]]:
    """The setting `sync_logs_sources` for these files."""
    return [
        {
            "name": history.source_name,
            "type": history.type,
            "organization_id": history.organization_id,
            "relations": {
                name: f"parquet.`{root / f'{history.source_name}.{name}'}`"
                for name in SOURCE_TYPES[history.type].all_tables
            },
        }
        for history in histories
    ]
