"""Rows as files: CSV without spreadsheet formulas, JSON lines, parquet."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sync_logs_viewer.masks import FIGURES_OF_FIELDS, HIDDEN

Rows = Iterable[Mapping[str, Any]]
KINDS = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}
# a spreadsheet reads a cell that begins with one of these as a formula
FORMULA = ("=", "+", "-", "@", "\t", "\r")
ROWS_AT_ONCE = 1000
TEXTS_OF_RECORDS = (
    *("organization_id", "sync_id", "sync_run_id", "identifier", "display_status"),
    *("failure_reason", "operation", "record_payload", "record_status", "logged_status"),
    *("status_message", "batch_type", "file_name", "record_id"),
)
TYPES_OF_RECORDS = {
    **dict.fromkeys(TEXTS_OF_RECORDS, pa.string()),
    **dict.fromkeys(("batch_started_at", "batch_ended_at"), pa.timestamp("us", "UTC")),
    "batch_number": pa.decimal128(38, 0),
    "row_index": pa.int64(),
    "payload_length": pa.int32(),
}


def csv_lines(names: list[str], rows: Rows) -> Iterator[bytes]:
    """CSV with a header, in chunks."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(map(_cell, names))
    for number, row in enumerate(rows, 1):
        writer.writerow(_cell(row[name]) for name in names)
        if number % ROWS_AT_ONCE == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def json_lines(names: list[str], rows: Rows) -> Iterator[bytes]:
    """A JSON object on each line."""
    for row in rows:
        line = {name: _plain(row[name]) for name in names}
        yield (json.dumps(line, ensure_ascii=False) + "\n").encode()


def parquet_bytes(names: list[str], rows: Rows) -> Iterator[bytes]:
    """Parquet, as one chunk at the end, because its footer counts the rows.

    Records have the same types whatever their values, so that you can read files of two runs
    together. A number that is hidden is null.
    """
    kept = [{name: _typed(name, row[name]) for name in names} for row in rows]
    if set(names) <= set(TYPES_OF_RECORDS):
        schema = pa.schema([(name, TYPES_OF_RECORDS[name]) for name in names])
        table = pa.Table.from_pylist(kept, schema)
    else:
        table = pa.Table.from_pylist(kept) if kept else pa.table({name: [] for name in names})
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    yield buffer.getvalue()


WRITERS: Mapping[str, Callable[[list[str], Rows], Iterator[bytes]]] = {
    "csv": csv_lines,
    "jsonl": json_lines,
    "parquet": parquet_bytes,
}


def _typed(name: str, value: object) -> object:
    return None if name in FIGURES_OF_FIELDS and value == HIDDEN else value


def _cell(value: object) -> object:
    plain = _plain(value)
    if isinstance(plain, str) and plain.startswith(FORMULA):
        return f"'{plain}"
    return plain


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return f"{value.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
    if isinstance(value, date):
        return value.isoformat()
    return int(value) if isinstance(value, Decimal) else value


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8")
