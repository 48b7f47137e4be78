"""What SQL cannot see of a lake: hidden and empty files, and why a file cannot be read.

The model `int_files__audited` calls `findings`. The functions on bytes and paths are pure; Spark
lists and reads the files, so any URL scheme works, on an embedded session and over Spark Connect.
Only hidden files are listed without Spark's listing, which hides them.
Details name columns, types and row groups, never a value of the data.
"""

import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from typing import Any
from urllib.parse import quote, unquote

import pyarrow as pa
import pyarrow.parquet as pq

# Maximum number of files whose bytes one build checks; the next build continues.
MOST_FILES = 200
# A Spark Connect client cannot receive a message above 128 MiB.
MOST_BYTES = 100 * 1024 * 1024
# Spark plans this many literal paths quickly; above that, one full listing is cheaper.
MOST_LITERALS = 1000

EMPTY = "empty file"
HIDDEN = "hidden from queries"
# an idle build cannot delete a finding: it adds this one, and the next build is not idle
GONE = "no longer found"
LISTED_ANEW = (EMPTY, HIDDEN)
NOT_AUDITED = "not audited"
NO_PARQUET = "not a parquet file"
BAD_FOOTER = "footer cannot be parsed"
BAD_TYPE = "type not supported"
BAD_COLUMN = "column cannot be decoded"
NO_FAULT = "no fault found"

# What writers leave on purpose and nobody reads as records. Hidden files of zero bytes are not
# listed either.
LEFT_BY_WRITERS = re.compile(
    r"_SUCCESS|_started_\w+|_committed_\w+|_delta_log|_spark_metadata|\.DS_Store|\..*\.crc"
)
STATUS = re.compile(r"FileStatus\{path=(.*?); isDirectory=false; length=(\d+);", re.DOTALL)

# Columns that the build reads; other columns do not matter.
COLUMNS = {
    "batch": (
        *("identifier", "record_payload", "operation", "status", "status_message"),
        *("batch_started_at", "batch_ended_at"),
    ),
    "fact": (
        *("id", "type", "name", "model_id", "business_object_id", "filter_segment_id"),
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
    earlier: Sequence[Sequence[Any]],
) -> list[tuple[Any, ...]]:
    """All findings of a build, as rows of SCHEMA.

    `lake` is the root of the lake; `tables` has the lake tables by the folder that they list. The
    frames hold the files that the build lists, and the unreadable ones; `earlier` has the committed
    findings.
    """
    known = {row[0] for row in planned.select("file_path").collect()}
    listed = {folder: listed_files(table) for folder, table in tables.items()}
    empty = [
        row_of(located(path, folder, lake), Fault(EMPTY, "The file is empty."))
        for folder, table in tables.items()
        for path in empty_files(table, set(listed[folder]) - known)
    ]
    seen = {
        located(path, folder, lake).relative_path for folder in listed for path in listed[folder]
    }
    stored = stored_files(planned.sparkSession, lake, tables)
    if not seen & stored.keys():
        stored = {}  # this machine has another folder at that path
    files = [
        (File(*row[:-1]), row[-1])
        for row in unreadable.select(*FILE_COLUMNS, "is_landed_now").collect()
    ]
    kept = [row for row in earlier if row[8] not in (*LISTED_ANEW, GONE, NOT_AUDITED)]
    return (
        empty
        + hidden_files(stored, seen, lake)
        + explained(files, kept, lambda file: bytes_of(tables, file))
    )


def news(rows: Iterable[Sequence[Any]], earlier: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """What an idle build adds to the findings of the last load: new ones, and which are gone."""
    earlier, rows = list(earlier), list(rows)
    known, found = ({(row[0], row[8]) for row in some} for some in (earlier, rows))
    gone = Fault(GONE, "It was listed when the load was built.", is_postponed=True)
    return [tuple(row) for row in rows if (row[0], row[8]) not in known] + [
        row_of(File(*row[: len(FILE_COLUMNS)]), gone)
        for row in earlier
        if row[8] in LISTED_ANEW and (row[0], row[8]) not in found and (row[0], GONE) not in known
    ]


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


def hidden_files(stored: dict[str, int | None], seen: set[str], lake: str) -> list[tuple[Any, ...]]:
    """Rows for files and folders whose names Spark hides; a folder with all its files is one row.

    `stored` has the size of each file that exists by its relative path (None: a link to nothing),
    `seen` the paths that Spark lists. A file that Spark does not list although it could was written
    in the meantime: the next build finds it.
    """
    found: dict[str, list[str]] = {}
    unlisted = stored.keys() - seen
    folders_seen = {folder for path in seen for folder in places_above(path)} if unlisted else set()
    for path in unlisted:
        is_left = any(LEFT_BY_WRITERS.fullmatch(part) for part in path.split("/"))
        places = [*places_above(path), path]
        hidden = [one for one in places if why_hidden(one) and one not in folders_seen]
        if stored[path] != 0 and not is_left and (hidden or stored[path] is None):
            found.setdefault([*hidden, path][0], []).append(path)
    root = local_root(lake)
    url = lake if root is None else f"file:{quote(root)}"
    rows = []
    for place, paths in sorted(found.items()):
        detail = why_hidden(place) or "It is a link to a file that does not exist."
        if place not in stored:
            detail = f"A folder, files in it: {len(paths)}. {detail}"
        size = sum(stored[path] or 0 for path in paths)
        shown = os.fsencode(place).decode(errors="backslashreplace")
        file = located(f"{url}/{quote(shown)}", place.split("/")[0], lake, size)
        rows.append(row_of(replace(file, file_kind="other"), Fault(HIDDEN, detail)))
    return rows


def places_above(path: str) -> list[str]:
    """The folders that a relative path leads through, the first one first."""
    return [path[: found.start()] for found in re.finditer("/", path)]


def why_hidden(path: str) -> str | None:
    """Why Spark does not list the file or folder of this path; None if it does.

    Some folders with these names are listed all the same, for instance `_metadata`.
    """
    name = path.rpartition("/")[2]
    is_marked = name.startswith(".") or (name.startswith("_") and "=" not in name)
    if is_marked or name.endswith("._COPYING_"):
        return "Spark skips names that begin with _ or . or end with ._COPYING_."
    if not name.isascii() and re.search("[\udc80-\udcff]", name):  # as Python reads such bytes
        return "Its name is not valid UTF-8."
    return None


def local_root(lake: str) -> str | None:
    """The path of a lake on the disk; None if it is the URL of another file system."""
    path = re.sub("^file:/*", "/", lake)
    return None if re.match("[A-Za-z][A-Za-z0-9+.-]+:", path) else path


def stored_files(session: Any, lake: str, folders: Iterable[str]) -> dict[str, int | None]:
    """Sizes of all files in these folders of the lake, by relative path, hidden ones too.

    A lake on this machine is walked: Java leaves out links to nothing and names that are not UTF-8.
    Another one is listed by the JVM of the session; over Spark Connect there is none, and no file.
    """
    stored: dict[str, int | None] = {}
    root = local_root(lake)
    for folder in folders:
        if root is not None:
            if os.path.isdir(f"{root}/{folder}"):
                stored.update(walked(f"{root}/{folder}", folder))
        elif hasattr(session, "_jvm"):
            stored.update(listed_by_hadoop(session, f"{lake}/{folder}", folder))
    return stored


def walked(
    folder: str, name: str, above: frozenset[tuple[int, int]] = frozenset()
) -> Iterator[tuple[str, int | None]]:
    """Relative path and size of each file below a local folder. Links are followed once."""
    for entry in os.listdir(folder):
        path = os.path.join(folder, entry)
        try:
            status = os.stat(path)
        except OSError:
            if os.path.islink(path):
                yield f"{name}/{entry}", None
            continue
        here = (status.st_dev, status.st_ino)
        if not stat.S_ISDIR(status.st_mode):
            yield f"{name}/{entry}", status.st_size
        elif here not in above:
            yield from walked(path, f"{name}/{entry}", above | {here})


def listed_by_hadoop(session: Any, url: str, name: str) -> Iterator[tuple[str, int]]:
    """Relative path and size of each file below the URL of a folder, in one call to the JVM."""
    hadoop = session._jvm.org.apache.hadoop
    root = hadoop.fs.Path(url)
    system = root.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
    if system.exists(root):
        files = hadoop.util.functional.RemoteIterators.toList(system.listFiles(root, True))
        start = len(system.makeQualified(root).toString()) + 1
        for path, size in STATUS.findall(files.toString()):
            yield f"{name}/{path[start:]}", int(size)


def empty_files(table: Any, candidates: Iterable[str]) -> list[str]:
    """Which paths of a lake table are empty files: Spark lists them, but no query returns them."""
    from pyspark.sql import functions as F

    candidates = sorted(candidates)
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
    # Spark's listing has files such as `_metadata.json`, but no query returns them
    return [re.sub("^file:/+", "file:/", path) for path in paths if not why_hidden(path)]


def bytes_of(tables: dict[str, Any], file: File) -> bytes:
    """The content of one file; only with a literal path does Spark not open the others."""
    from pyspark.sql import functions as F

    table = tables[file.relative_path.split("/")[0]]
    rows = table.where(F.col("_metadata.file_path") == file.file_path).select("content").collect()
    return bytes(rows[0][0])
