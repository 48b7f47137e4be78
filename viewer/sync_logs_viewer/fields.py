"""A payload as a list of fields, and which of them changed since the record's last delivery."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sync_logs_viewer.payloads import Pairs, lines, parsed

# fields of a payload on a page
MOST = 200
# operations that take a record away, however a vendor writes them
REMOVALS = ("delete", "remove")


@dataclass(frozen=True)
class Field:
    """A field of a payload, with its value as a text."""

    name: str
    value: str
    change: Literal["new", "changed", "gone"] | None = None
    previous: str | None = None


def fields_of(row: Mapping[str, Any]) -> list[Field] | None:
    """The fields of a row's payload; None if it is not an object, or was cut."""
    text = row["record_payload"]
    if text is None or row["payload_length"] > len(text):
        return None
    try:
        payload = parsed(text)
        if not isinstance(payload, Pairs):
            return None
        return [Field(name, _written(value)) for name, value in payload]
    except (ValueError, RecursionError):
        return None


def compared(now: Sequence[Field], before: Sequence[Field]) -> list[Field]:
    """The fields of a payload, those that changed marked; then those that it no longer has."""
    earlier, later = _by_name(before), _by_name(now)
    marked = []
    for field in now:
        if field.name not in earlier:
            marked.append(Field(field.name, field.value, "new"))
        elif earlier[field.name] != later[field.name]:
            previous = ", ".join(earlier[field.name])
            marked.append(Field(field.name, field.value, "changed", previous))
        else:
            marked.append(field)
    gone = [name for name in earlier if name not in later]
    return [*marked, *(Field(name, "", "gone", ", ".join(earlier[name])) for name in gone)]


def since_delivery(rows: Sequence[Mapping[str, Any]]) -> list[list[Field] | None]:
    """The fields of each row of one record, the latest row first.

    Each is compared with the last payload before it that its sync delivered. Nothing is compared
    with one before a removal.
    """
    delivered: dict[str, list[Field] | None] = {}
    found = []
    for row in reversed(rows):
        now, before = fields_of(row), delivered.get(row["sync_id"])
        found.append(now if now is None or before is None else compared(now, before))
        if row["display_status"] == "Success":
            is_removal = str(row["operation"] or "").casefold().startswith(REMOVALS)
            delivered[row["sync_id"]] = None if is_removal else now
    return found[::-1]


def changed_names(fields: Sequence[Field] | None) -> list[str]:
    """The names of the fields that changed, each once."""
    return list(dict.fromkeys(one.name for one in fields or () if one.change is not None))


def shown_fields(fields: Sequence[Field]) -> list[Field]:
    """The fields for a page with many payloads: the first ones, and all that changed."""
    return [one for place, one in enumerate(fields) if place < MOST or one.change is not None]


def _by_name(fields: Iterable[Field]) -> dict[str, list[str]]:
    """The values of each name: a payload can have a name twice."""
    found = defaultdict(list)
    for field in fields:
        found[field.name].append(field.value)
    return found


def _written(value: Any) -> str:
    """A value; a text is in quotes only if one could take it for something else."""
    written = lines(value)
    if not isinstance(value, str) or written[:1] != '"':
        return written
    try:
        parsed(value)
    except (ValueError, RecursionError):
        return value if value.strip() == value != "" else written
    return written
