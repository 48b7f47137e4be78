"""What the payloads of a run have in each of their fields: types, nulls, sizes.

The model `int_run_fields__profiled` calls it; the rules are in docs/answers.md, "Payloads". Python
reads the payloads because SQL has no type for the value of a JSON field.
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

# of a run with more records, a sample is read
MOST_PAYLOADS = 10_000
# a payload whose keys are values, such as ids, would have a field for each
MOST_FIELDS = 500
# Python's own limit is below the nesting that Spark reads
DEEPEST = 5_000

KEY = ("organization_id", "sync_id", "sync_run_id")
TYPES = ("string", "number", "boolean", "array", "object")
COUNTS = ("payload_count", "present_count", "null_count", *(f"{one}_count" for one in TYPES))
COLUMNS = {
    **dict.fromkeys((*KEY, "field_name"), "string"),
    **dict.fromkeys((*COUNTS, "distinct_count", "longest_text"), "bigint"),
    "largest_number": "double",
}
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())


class Number(str):
    """The text of a number, which may have more digits than Python makes an integer of."""

    def __repr__(self) -> str:
        return str(self)


@dataclass
class Field:
    """What the payloads read so far have in one field."""

    types: Counter[str] = field(default_factory=Counter)
    values: set[tuple[str, str]] = field(default_factory=set)
    longest_text: int | None = None
    largest_number: float | None = None

    def add(self, value: Any) -> None:
        """Count the value of one payload."""
        kind = _type_of(value)
        self.types[kind] += 1
        if kind == "null":
            return
        if kind == "string":
            value = _readable(value)
            self.longest_text = max(len(value), self.longest_text or 0)
        elif kind == "number" and math.isfinite(number := float(value)):
            known = self.largest_number
            self.largest_number = number if known is None else max(number, known)
        self.values.add((kind, value if isinstance(value, str) else repr(value)))


def profiled(changelog: Any, runs: Any) -> Any:
    """One row per run and field, and one without a field per run that has payloads.

    Takes data frames of `int_changelog__built` and of the replayed runs of `int_runs__planned`.
    """
    payloads = (
        changelog.where("fields is not null and canonical_operation != 'delete'")
        .join(runs.select(*KEY, "record_count"), list(KEY))
        .where(
            "crc32(coalesce(identifier, concat_ws('/', file_name, row_index)))"
            f" % ceil(greatest(record_count, 1) / {MOST_PAYLOADS}) = 0"
        )
        .select(*KEY, "fields")
    )
    _send_with_tasks()
    return payloads.groupBy(*KEY).applyInPandas(_rows_of_run, SCHEMA)


def rows_of(payloads: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows of one run, without its key. A payload that is not a JSON object does not count."""
    fields: dict[str, Field] = {}
    payload_count = 0
    for text in payloads:
        content = _parsed(text)
        if content is None:
            continue
        payload_count += 1
        for name, value in content.items():
            fields.setdefault(name, Field()).add(value)
    if not payload_count:
        return
    yield {"field_name": None, "payload_count": payload_count}
    most_present = sorted(fields, key=lambda name: (-fields[name].types.total(), name))
    for name in most_present[:MOST_FIELDS]:
        found = fields[name]
        yield {
            "field_name": name,
            "payload_count": payload_count,
            "present_count": found.types.total(),
            "null_count": found.types["null"],
            **{f"{kind}_count": found.types[kind] for kind in TYPES},
            "distinct_count": len(found.values),
            "longest_text": found.longest_text,
            "largest_number": found.largest_number,
        }


def _rows_of_run(key: tuple[str, ...], payloads: Any) -> Any:
    import pandas as pd

    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
    rows = [{**dict(zip(KEY, key, strict=True)), **row} for row in rows_of(payloads["fields"])]
    types = {name: "Int64" if kind == "bigint" else object for name, kind in COLUMNS.items()}
    return pd.DataFrame(
        {name: pd.array([row.get(name) for row in rows], kind) for name, kind in types.items()}
    )


def _parsed(text: str) -> dict[str, Any] | None:
    """The fields of a payload, of a field that repeats the first one; None if it has none."""
    try:
        content = json.loads(
            text,
            object_pairs_hook=_Object,
            parse_int=_integer,
            parse_float=lambda text: Number(float(text)),
            parse_constant=_refuse,
        )
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, _Object):
        return None
    found: dict[str, Any] = {}
    for name, value in content:
        found.setdefault(_readable(name), value)
    return found


def _integer(digits: str) -> "Number":
    return Number(digits if digits != "-0" else "0")


def _readable(text: str) -> str:
    """A text without halves of surrogate pairs, which UTF-8 cannot write."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _Object(list[tuple[str, Any]]):
    """The fields of a JSON object in their order."""


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, Number):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    return "object" if isinstance(value, _Object) else "array"


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _send_with_tasks() -> None:
    """Send this module's code with the tasks: the workers of a cluster may not have it."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
