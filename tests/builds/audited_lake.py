"""A lake with every kind of file that the audit finds, and the expected findings, by hand."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from conftest import Warehouse

RUN = "sync_tracking_datasets/org/sync 1/run+1"
# relative path, kind, issue, detail, row count in the footer
FINDINGS: list[tuple[str, str, str, str, int | None]] = [
    (f"{RUN}/empty.3.parquet", "batch", "empty file", "The file is empty.", None),
    (f"{RUN}/metadata.json", "metadata", "empty file", "The file is empty.", None),
    (f"{RUN}/notes é,.txt", "other", "empty file", "The file is empty.", None),
    (
        "metadata/org/destinations.parquet",
        "fact",
        "empty file",
        "The file is empty.",
        None,
    ),
    (
        f"{RUN}/_records.0.parquet",
        *("other", "hidden from queries"),
        *("Spark skips names that begin with _ or . or end with ._COPYING_.", None),
    ),
    (
        f"{RUN}/truncated.4.parquet",
        "batch",
        "not a parquet file",
        "It begins as a parquet file but has no end: it was cut off.",
        None,
    ),
    (
        f"{RUN}/text.5.parquet",
        "batch",
        "not a parquet file",
        "It does not begin with the letters PAR1 of a parquet file.",
        None,
    ),
    (
        f"{RUN}/damaged.6.parquet",
        "batch",
        "column cannot be decoded",
        "The column record_payload cannot be decoded in row group 2 of 3.",
        3000,
    ),
]


def findings_of(built: Warehouse) -> list[tuple[object, ...]]:
    """The published findings of the audit, to compare with sorted FINDINGS."""
    columns = ("relative_path", "file_kind", "reason", "detail", "footer_record_count")
    return sorted(
        tuple(row[one] if one != "reason" else row["reason"] or row["issue"] for one in columns)
        for row in built.rows("lake_file_issues")
        if row["detail"] is not None
    )


def write_lake(lake: Path) -> None:
    """Write the lake: the bad files and two good ones."""
    run = lake / RUN
    run.mkdir(parents=True)
    for number in (1, 2):
        batch(["a", "b"], run / f"good.{number}.parquet")
    batch(["hidden"], run / "_records.0.parquet")
    (run / "notes.txt").write_text("outside the layout, but not empty")
    whole = (run / "good.1.parquet").read_bytes()
    (run / "truncated.4.parquet").write_bytes(whole[: len(whole) // 2])
    (run / "text.5.parquet").write_text("this is no parquet")
    batch([f"key {number}" for number in range(3000)], run / "damaged.6.parquet", 1000)
    damage(run / "damaged.6.parquet", "record_payload", row_group=1)
    facts = lake / "metadata" / "org"
    facts.mkdir(parents=True)
    pq.write_table(pa.table({"id": ["m"], "name": ["Leads"]}), facts / "source_objects.parquet")
    for empty in ("empty.3.parquet", "metadata.json", "notes é,.txt", "._unfinished"):
        (run / empty).touch()
    (facts / "destinations.parquet").touch()


def batch(identifiers: list[str], target: Path, row_group_size: int | None = None) -> None:
    """Write a batch file of upserts that succeeded."""
    columns = {
        "identifier": identifiers,
        "record_payload": [f'{{"secret": "{identifier}"}}' for identifier in identifiers],
        "operation": ["upsert"] * len(identifiers),
        "status": ["succeeded"] * len(identifiers),
    }
    pq.write_table(pa.table(columns), target, row_group_size=row_group_size)


def damage(file: Path, column: str, row_group: int) -> None:
    """Overwrite the middle of a column's pages."""
    group = pq.ParquetFile(file).metadata.row_group(row_group)
    chunks = [group.column(number) for number in range(group.num_columns)]
    chunk = next(one for one in chunks if one.path_in_schema == column)
    content = bytearray(file.read_bytes())
    middle = chunk.dictionary_page_offset + chunk.total_compressed_size // 2
    content[middle : middle + 64] = b"\xff" * 64
    file.write_bytes(bytes(content))
