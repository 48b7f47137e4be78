"""What SQL cannot see of a lake: files of zero bytes, and why a file cannot be read.

The model `int_files__audited` calls `findings`. The functions on bytes and paths are pure; Spark
lists and reads the files, so any URL scheme works, on an embedded session and over Spark Connect.
Details name columns, types and row groups, never a value of the data.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

# Maximum number of files whose bytes one build checks; the next build continues.
MOST_FILES = 200
# A Spark Connect client cannot receive a message above 128 MiB.
MOST_BYTES = 100 * 1024 * 1024
# Spark plans this many literal paths quickly; above that, one full listing is cheaper.
MOST_LITERALS = 1000

EMPTY = "empty file"
NOT_AUDITED = "not audited"
NO_PARQUET = "not a parquet file"
BAD_FOOTER = "footer cannot be parsed"
BAD_TYPE = "type not supported"
BAD_COLUMN = "column cannot be decoded"
NO_FAULT = "no fault found"

# Columns that the build reads; other columns do not matter.
COLUMNS = {
    "batch": (
        "identifier",
        "record_payload",
        "operation",
        "status",
        "status_message",
        "batch_started_at",
        "batch_ended_at",
    ),
    "fact": (
        "id",
        "type",
        "name",
        "model_id",
        "business_object_id",
        "filter_segment_id",
        "cohort_id",
    ),
}

SCHEMA = (
    "relative_path string, file_path string, file_kind string, organization_id string, "
    "sync_id string, sync_run_id string, file_name string, file_size bigint, issue string, "
    "detail string, footer_record_count bigint, is_postponed boolean"
)


@dataclass(frozen=True)
class File:
    """A file of the lake, with the ids that its path has."""

    relative_path: str
    file_path: str
    file_kind: str
    organization_id: str | None
    sync_id: str | None
    sync_run_id: str | None
    file_name: str
    file_size: int


@dataclass(frozen=True)
class Fault:
    """What is wrong with a file, and how many records its footer promises, if it has one.

    `is_postponed` if the next build must check the file.
    """

    issue: str
    detail: str
    footer_record_count: int | None = None
    is_postponed: bool = False


FILE_COLUMNS = tuple(field.name for field in fields(File))
FAULT_COLUMNS = tuple(field.name for field in fields(Fault))
COLUMNS_OF_FINDINGS = (*FILE_COLUMNS, *FAULT_COLUMNS)


def findings(
    lake: str,
    tables: dict[str, Any],
    planned: Any,
    unreadable: Any,
    earlier: Any,
) -> list[tuple[Any, ...]]:
    """All findings of a build, as rows of SCHEMA.

    `lake` is the root of the lake; `tables` has the lake tables by the folder that they list. The
    frames hold the files that the build lists, the unreadable ones, and the committed findings.
    """
    known = {row[0] for row in planned.select("file_path").collect()}
    empty = [
        row_of(located(path, folder, lake), Fault(EMPTY, "The file is empty."))
        for folder, table in tables.items()
        for path in empty_files(table, known)
    ]
    files = [
        (File(*row[:-1]), row[-1])
        for row in unreadable.select(*FILE_COLUMNS, "is_landed_now").collect()
    ]
    looked_into = earlier.where(f"issue not in ('{EMPTY}', '{NOT_AUDITED}')") if files else None
    kept = looked_into.select(*COLUMNS_OF_FINDINGS).collect() if looked_into is not None else []
    return empty + explained(files, kept, lambda file: bytes_of(tables, file))


def explained(
    files: Iterable[tuple[File, bool]],
    earlier: Iterable[Sequence[Any]],
    read: Callable[[File], bytes],
    limit: int = MOST_FILES,
) -> list[tuple[Any, ...]]:
    """Rows with the reasons why files cannot be read: kept for unchanged files, else computed.

    Each file comes with whether it was landed now; `limit` bounds how many are checked.
    """
    kept: dict[str, list[Sequence[Any]]] = {}
    for row in earlier:
        kept.setdefault(row[0], []).append(row)
    rows: list[tuple[Any, ...]] = []
    left = limit
    for file, is_new in sorted(files, key=lambda one: one[0].relative_path):
        if not is_new and file.relative_path in kept:
            # the lake may have moved
            found = [Fault(*row[-len(FAULT_COLUMNS) :]) for row in kept[file.relative_path]]
        elif left == 0:
            detail = f"A build checks at most {limit} files; the next build continues."
            found = [Fault(NOT_AUDITED, detail, is_postponed=True)]
        else:
            left -= 1
            found = faults_of_file(file, read)
        rows += [row_of(file, fault) for fault in found]
    return rows


def faults_of_file(file: File, read: Callable[[File], bytes]) -> list[Fault]:
    """Faults of one file, including those in its bytes."""
    if file.file_size > MOST_BYTES:
        return [Fault(NOT_AUDITED, f"The file is larger than {MOST_BYTES // 1024**2} MiB.")]
    try:
        content = read(file)
    except Exception as error:  # any error of a file system; its text may hold credentials
        return [Fault(NOT_AUDITED, f"Spark cannot read its bytes ({type(error).__name__}).")]
    return faults_of(content, COLUMNS[file.file_kind])


def faults_of(content: bytes, columns: Sequence[str]) -> list[Fault]:
    """Faults of a parquet file that make the named columns unreadable."""
    if not content.startswith(b"PAR1"):
        return [Fault(NO_PARQUET, "It does not begin with the letters PAR1 of a parquet file.")]
    if not content.endswith(b"PAR1"):
        return [Fault(NO_PARQUET, "It begins as a parquet file but has no end: it was cut off.")]
    try:
        file = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
    except Exception:  # pyarrow promises no class of error for damaged bytes
        return [Fault(BAD_FOOTER, "Its footer, which lists columns and row groups, is damaged.")]
    rows = file.metadata.num_rows
    leaves = [file.schema.column(number) for number in range(len(file.schema))]
    wanted = [leaf for leaf in leaves if leaf.path.split(".")[0].lower() in columns]
    found = [
        Fault(BAD_TYPE, f"The column {leaf.path.split('.')[0]} has the type {kind}.", rows)
        for leaf in wanted
        if (kind := unsupported_type(leaf)) is not None
    ]
    for name in dict.fromkeys(leaf.path.split(".")[0] for leaf in wanted):
        damaged = [n for n in range(file.num_row_groups) if not can_be_decoded(file, n, name)]
        if damaged:
            numbers = ", ".join(str(number + 1) for number in damaged)
            detail = f"The column {name} cannot be decoded in row group {numbers}"
            found.append(Fault(BAD_COLUMN, f"{detail} of {file.num_row_groups}.", rows))
    return found or [
        Fault(NO_FAULT, "All columns can be decoded, but Spark reads fewer rows.", rows)
    ]


def unsupported_type(leaf: Any) -> str | None:
    """A description of a column's type if Spark cannot read it, else None."""
    kind = leaf.logical_type.type
    if kind == "DECIMAL" and leaf.precision > 38:
        return f"decimal({leaf.precision}, {leaf.scale})"
    if leaf.converted_type == "INTERVAL":
        return "interval"
    return {"TIME": "time of day", "FLOAT16": "float of 16 bits", "UUID": "UUID"}.get(kind)


def can_be_decoded(file: pq.ParquetFile, row_group: int, column: str) -> bool:
    """Whether all values of a column in a row group can be read."""
    try:
        file.read_row_group(row_group, columns=[column])
    except pa.ArrowNotImplementedError:
        return True  # a type that pyarrow lacks is no damage
    except Exception:  # pyarrow promises no class of error for damaged bytes
        return False
    return True


def located(file_path: str, folder: str, lake: str, file_size: int = 0) -> File:
    """The file at a URI-encoded path in a folder of the lake."""
    path = unquote(file_path)
    root = lake.rstrip("/").rpartition("/")[2]
    # a root may have the same name as one of its folders
    start = path.find(f"/{root}/{folder}/")
    start = start + len(root) + 2 if start >= 0 else path.find(f"/{folder}/") + 1
    parts = path[start:].split("/")
    is_records = folder == "sync_tracking_datasets"
    ids = [*parts[1:-1], None, None, None][: 3 if is_records else 1]
    organization, sync, run = [*ids, None, None][:3]
    return File(
        path[start:], file_path, kind_of(parts), organization, sync, run, parts[-1], file_size
    )


def kind_of(parts: Sequence[str]) -> str:
    """Kind of a file, from the parts of its path below the lake: batch, metadata, fact or other."""
    name = parts[-1]
    if parts[0] == "sync_tracking_datasets" and len(parts) == 5:
        if name == "metadata.json":
            return "metadata"
        return "batch" if name.endswith(".parquet") else "other"
    is_fact = re.match(r"(source_objects|destinations|destination_objects).*\.parquet$", name)
    return "fact" if parts[0] == "metadata" and len(parts) == 3 and is_fact else "other"


def row_of(file: File, fault: Fault) -> tuple[Any, ...]:
    """A row of SCHEMA."""
    return (*astuple(file), *astuple(fault))


def empty_files(table: Any, known: set[str]) -> list[str]:
    """Paths of empty files in a lake table: Spark lists them but never returns them in a query."""
    from pyspark.sql import functions as F

    candidates = sorted(set(listed_files(table)) - known)
    if not candidates:
        return []
    shown = table.select("_metadata.file_path")
    if len(candidates) <= MOST_LITERALS:
        shown = shown.where(F.col("file_path").isin(candidates))
    with_bytes = {row[0] for row in shown.collect()}
    return [path for path in candidates if path not in with_bytes]


def listed_files(table: Any) -> list[str]:
    """Paths of all files of a lake table, spelled as in the column `_metadata.file_path`."""
    if hasattr(table, "_jdf"):
        # py4j would fetch the paths one by one; as JSON they arrive in one call
        mapper = table.sparkSession._jvm.com.fasterxml.jackson.databind.ObjectMapper()
        paths = json.loads(mapper.writeValueAsString(table._jdf.inputFiles()))
    else:
        paths = table.inputFiles()
    return [re.sub("^file:/+", "file:/", path) for path in paths]


def bytes_of(tables: dict[str, Any], file: File) -> bytes:
    """The content of one file; only with a literal path does Spark not open the others."""
    from pyspark.sql import functions as F

    table = tables[file.relative_path.split("/")[0]]
    rows = table.where(F.col("_metadata.file_path") == file.file_path).select("content").collect()
    return bytes(rows[0][0])
