"""What the payloads of each run look like, field by field (docs/answers.md, Payloads)."""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from zlib import crc32

from .answers_facts import Outcome, SyncFacts
from .history import Attempt, Run
from .json_texts import JsonObject, read_object

# Of a run with more log rows, a sample is profiled.
MOST_RECORDS = 10_000
# Of a run with more fields, those that most payloads have are kept.
MOST_FIELDS = 500
NULL = "null"
HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class FieldProfile:
    """A field in the profiled payloads of a run."""

    name: str
    # How many payloads have a value of each type.
    type_counts: Counter[str]
    distinct_count: int
    longest_text: int | None
    largest_number: float | None

    @property
    def present_count(self) -> int:
        """How many payloads have the field."""
        return self.type_counts.total()

    @property
    def null_count(self) -> int:
        """In how many payloads it is null."""
        return self.type_counts[NULL]

    @property
    def valued_count(self) -> int:
        """In how many payloads it has a value."""
        return self.present_count - self.null_count

    @property
    def types(self) -> frozenset[str]:
        """The types of its values, also null."""
        return frozenset(self.type_counts)

    @property
    def value_types(self) -> frozenset[str]:
        """The types of its values without null."""
        return self.types - {NULL}


@dataclass(frozen=True)
class RunProfile:
    """A run with profiled payloads, its position in the sync, and the fields that are kept."""

    run: Run
    position: int
    payload_count: int
    fields: dict[str, FieldProfile]


def run_profiles(facts: SyncFacts) -> list[RunProfile]:
    """Profile the runs of a sync that have payloads to profile, in order, settled or not.

    A pruned run is as it was, so records that were purged after its prune still count in it.
    """
    profiles = [
        _profile(run, position, facts.outcomes_of(run))
        for position, run in enumerate(facts.sync.runs)
    ]
    return [one for one in profiles if one.payload_count]


def readable_name(text: str) -> str:
    """Return a text as UTF-8 can write it."""
    return HALF_OF_A_PAIR.sub("?", text)


def _profile(run: Run, position: int, outcomes: Iterable[Outcome]) -> RunProfile:
    one_in = max(1, math.ceil(len(run.attempts) / MOST_RECORDS))
    payloads = []
    for outcome in outcomes:
        attempt = outcome.entry.attempt
        if attempt.operation != "delete" and crc32(_sample_key(attempt)) % one_in == 0:
            payload = _read_payload(attempt.row.record_payload)
            if payload is not None:
                payloads.append(payload)
    values: dict[str, list[object]] = {}
    for payload in payloads:
        for name, value in payload.items():
            values.setdefault(name, []).append(value)
    fields = [_field_profile(name, its_values) for name, its_values in values.items()]
    fields.sort(key=lambda one: (-one.present_count, one.name.encode()))
    return RunProfile(run, position, len(payloads), {one.name: one for one in fields[:MOST_FIELDS]})


def _sample_key(attempt: Attempt) -> bytes:
    if attempt.identifier is not None:
        return attempt.identifier.encode()
    return f"{attempt.file_name}/{attempt.row_index}".encode()


def _read_payload(payload: str | None) -> dict[str, object] | None:
    """Read the fields of a payload; None if it is not a JSON object."""
    # exact, and of any length
    content = read_object(payload, parse_int=Decimal)
    if content is None:
        return None
    return JsonObject((readable_name(name), value) for name, value in content).first()


def _field_profile(name: str, values: list[object]) -> FieldProfile:
    numbers = [float(value) for value in values if isinstance(value, (float, Decimal))]
    return FieldProfile(
        name=name,
        type_counts=Counter(_json_type(value) for value in values),
        distinct_count=len({_identity(value) for value in values if value is not None}),
        longest_text=max((len(value) for value in values if isinstance(value, str)), default=None),
        largest_number=max(filter(math.isfinite, numbers), default=None),
    )


def _json_type(value: object) -> str:
    if value is None:
        return NULL
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, JsonObject):
        return "object"
    return "array" if isinstance(value, list) else "number"


def _identity(value: object) -> Hashable:
    """Return what is the same for two values with the same JSON text, white space aside.

    Numbers with a fraction or an exponent are the same if they are the same double.
    """
    if isinstance(value, JsonObject):
        return "object", tuple((readable_name(name), _identity(inner)) for name, inner in value)
    if isinstance(value, list):
        return "array", tuple(map(_identity, value))
    if isinstance(value, str):
        return "string", readable_name(value)
    # 1, 1.0 and true are equal in Python
    return type(value).__name__, repr(value) if isinstance(value, float) else value
