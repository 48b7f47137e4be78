"""Batch files with columns of every physical type, and the expected values, by hand."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark

ENDED = datetime(2026, 1, 1, 6, 30, 15, 456789, tzinfo=timezone.utc)
IN_MILLISECONDS = ENDED.replace(microsecond=456000)
MIDNIGHT = datetime(2026, 1, 1, tzinfo=timezone.utc)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
TIME_OF_DAY = pa.array([time(6, 30), time(7, 30)], pa.time64("us"))
NANOSECONDS_OF_DAY = pa.array([1, 2], pa.time64("ns"))
UUIDS = pa.ExtensionArray.from_storage(
    pa.uuid(), pa.array([uuid.UUID(int=1).bytes, uuid.UUID(int=2).bytes], pa.binary(16))
)
HALVES = pa.array([1.5, 2.0], pa.float16())
MANY_FIELDS = {f"field {number}": number for number in range(40)}
DEEP = pa.array([[[[["x"]]]], None])


@dataclass(frozen=True)
class Readable:
    """Two rows of a file, and the values that must be read from them."""

    columns: dict[str, Any]
    identifier: Sequence[str | None] = ("a", "b")
    record_payload: Sequence[str | None] = (None, None)
    batch_ended_at: Sequence[datetime | None] = (None, None)


def identified(values: Any, *texts: str | None) -> Readable:
    """A file of identifiers of some type."""
    return Readable({"identifier": values}, identifier=texts)


def paid(values: Any, *texts: str | None) -> Readable:
    """A file of payloads of some type."""
    return Readable({"identifier": ["a", "b"], "record_payload": values}, record_payload=texts)


def ended(values: Any, *times: datetime | None) -> Readable:
    """A file of times of some type."""
    return Readable({"identifier": ["a", "b"], "batch_ended_at": values}, batch_ended_at=times)


def with_extra(values: Any) -> Readable:
    """A file with an extra column of some type that no build reads."""
    columns = {"extra": values, "identifier": ["a", "b"], "batch_ended_at": [ENDED] * 2}
    return Readable(columns, batch_ended_at=[ENDED] * 2)


READABLE: dict[str, Readable] = {
    # identifiers
    "int8": identified(pa.array([-7, 8], pa.int8()), "-7", "8"),
    "int64": identified([7, 9223372036854775807], "7", "9223372036854775807"),
    "uint8": identified(pa.array([7, 255], pa.uint8()), "7", "255"),
    "uint32": identified(pa.array([7, 2**32 - 1], pa.uint32()), "7", "4294967295"),
    "uint64": identified(pa.array([7, 2**64 - 1], pa.uint64()), "7", "18446744073709551615"),
    "float32": identified(pa.array([7, 0.5], pa.float32()), "7", "0.5"),
    "float64": identified([8.0, None], "8", None),
    "negative floats": identified([-0.0, -3.0], "0", "-3"),
    "large floats": identified([1e15, 2.0**53 + 2], "1000000000000000", "9007199254740994"),
    "larger floats": identified([1e18, 1e19], "1000000000000000000", "1.0E19"),
    "no numbers": identified([float("nan"), float("-inf")], "NaN", "-Infinity"),
    "decimal": identified([Decimal("7.00"), Decimal("7.50")], "7", "7.50"),
    "wide decimal": identified(
        pa.array([Decimal("1" * 38), None], pa.decimal128(38, 0)), "1" * 38, None
    ),
    "boolean": identified([True, False], "true", "false"),
    "date": identified([date(2026, 1, 1), date(1969, 12, 31)], "2026-01-01", "1969-12-31"),
    "time without zone": identified(
        [ENDED.replace(tzinfo=None), EPOCH.replace(tzinfo=None)],
        *("2026-01-01 06:30:15.456789", "1970-01-01 00:00:00"),
    ),
    "time with zone": identified(
        [ENDED, EPOCH], "2026-01-01 06:30:15.456789", "1970-01-01 00:00:00"
    ),
    "binary": identified([b"x", "\u00e9".encode()], "x", "\u00e9"),
    "fixed binary": identified(pa.array([b"x1", b"x2"], pa.binary(2)), "x1", "x2"),
    "dictionary": identified(pa.array(["a", "b"]).dictionary_encode(), "a", "b"),
    "large text": identified(pa.array(["a", "b"], pa.large_string()), "a", "b"),
    "no type": identified(pa.nulls(2), None, None),
    "struct": identified([{"a": 1, "b c": "x"}, None], '{"a":1,"b c":"x"}', None),
    "list": identified([["a", "b"], []], '["a","b"]', "[]"),
    # payloads
    "payload struct": paid(
        [{"it's `q`": 1, "\u00e9": None, "n": {"x y": [1.5]}}, None],
        *('{"it\'s `q`":1,"n":{"x y":[1.5]}}', None),
    ),
    "payload wide": paid(
        [MANY_FIELDS, None],
        *("{" + ",".join(f'"{name}":{value}' for name, value in MANY_FIELDS.items()) + "}", None),
    ),
    "payload map": paid(
        pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())), '{"k":1}', "{}"
    ),
    "payload list": paid([[{"a": 1}], None], '[{"a":1}]', None),
    "payload deep": paid(DEEP, '[[[["x"]]]]', None),
    "payload number": paid([1, None], "1", None),
    # times
    "ms": ended(pa.array([ENDED] * 2, pa.timestamp("ms")), *[IN_MILLISECONDS] * 2),
    "ms zone": ended(pa.array([ENDED] * 2, pa.timestamp("ms", "UTC")), *[IN_MILLISECONDS] * 2),
    "us": ended(pa.array([ENDED] * 2, pa.timestamp("us")), ENDED, ENDED),
    "us zone": ended(pa.array([ENDED] * 2, pa.timestamp("us", "Asia/Tokyo")), ENDED, ENDED),
    "ns": ended(pa.array([ENDED] * 2, pa.timestamp("ns")), ENDED, ENDED),
    "ns zone": ended(pa.array([ENDED] * 2, pa.timestamp("ns", "UTC")), ENDED, ENDED),
    "ended on a date": ended([date(2026, 1, 1), None], MIDNIGHT, None),
    "seconds": ended(
        [1767249015, None], datetime(2026, 1, 1, 6, 30, 15, tzinfo=timezone.utc), None
    ),
    "float seconds": ended([1767249015.5, float("nan")], ENDED.replace(microsecond=500000), None),
    "iso texts": ended(["2026-01-01T06:30:15.456789Z", "soon"], ENDED, None),
    "iso zones": ended(["2026-01-01T07:30:15.456789+01:00", "2026-01-01"], ENDED, MIDNIGHT),
    "ended no type": ended(pa.nulls(2), None, None),
    # columns
    "none of ours": Readable({"colour": ["red", "blue"]}, identifier=[None, None]),
    "extra time": with_extra(TIME_OF_DAY),
    "extra nanoseconds of a day": with_extra(NANOSECONDS_OF_DAY),
    "extra uuid": with_extra(UUIDS),
    "extra half": with_extra(HALVES),
    "extra no type": with_extra(pa.nulls(2)),
    "extra twice": Readable({"Extra": ["x", "y"], "extra": [1, 2], "identifier": ["a", "b"]}),
    "other case": Readable({"IDENTIFIER": ["a", "b"]}),
}

# Columns that cannot be read without a guess. Each footer has 2 rows.
UNREADABLE: dict[str, dict[str, Any]] = {
    "ended yes or no": {"identifier": ["a", "b"], "batch_ended_at": [True, False]},
    "ended bytes": {"identifier": ["a", "b"], "batch_ended_at": [b"2026-01-01", b""]},
    "ended struct": {"identifier": ["a", "b"], "batch_ended_at": [{"at": ENDED}] * 2},
    "ended list": {"identifier": ["a", "b"], "batch_ended_at": [[ENDED]] * 2},
    "ended of day": {"identifier": ["a", "b"], "batch_ended_at": TIME_OF_DAY},
    "started of day": {"identifier": [1, 2], "batch_started_at": NANOSECONDS_OF_DAY},
    "uuid": {"identifier": UUIDS},
    "half": {"identifier": HALVES},
    "twice": {"identifier": ["a", "b"], "Identifier": ["c", "d"]},
    "field with a comma": {"identifier": ["a", "b"], "record_payload": [{"x,y<z": 1}] * 2},
    "numbers and time of day": {"identifier": [1, 2], "extra": NANOSECONDS_OF_DAY},
}

# Spark 3.5 does not know 16-bit floats, and cannot read the footer of a file that has them.
WITHOUT_FOOTER = ("half", "extra half") if pyspark.__version__.startswith("3.5.") else ()


def write_types(run: Path) -> None:
    """Write a file of each kind, all as batches of one run."""
    run.mkdir(parents=True)
    tables = {name: case.columns for name, case in READABLE.items()} | UNREADABLE
    for number, (name, columns) in enumerate(tables.items()):
        pq.write_table(pa.table(columns), run / f"{name}.{number}.parquet")
    old = pa.table({"identifier": ["a", "b"], "batch_ended_at": [ENDED] * 2})
    pq.write_table(old, run / "int96.900.parquet", use_deprecated_int96_timestamps=True)


# Fact files from a writer that infers schemas, and what is read from them.
FACTS: dict[str, tuple[dict[str, Any], set[tuple[str | None, ...]]]] = {
    "destinations": (
        {"id": [7, 8], "type": ["braze", "s3"], "name": pa.nulls(2)},
        {("7", "braze", None), ("8", "s3", None)},
    ),
    "source_objects": ({"id": ["m"], "name": ["Leads"]}, {("m", None, "Leads")}),
}


def write_facts(folder: Path) -> None:
    """Write the fact files of an organisation."""
    folder.mkdir(parents=True)
    for name, (columns, _) in FACTS.items():
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")


def expected_types() -> dict[str, list[tuple[str | None, str | None, datetime | None]]]:
    """Identifier, payload and end time of each row, by batch type."""
    expected = {
        name: list(zip(case.identifier, case.record_payload, case.batch_ended_at, strict=True))
        for name, case in READABLE.items()
        if name not in WITHOUT_FOOTER
    }
    return {**expected, "int96": [("a", None, ENDED), ("b", None, ENDED)]}
