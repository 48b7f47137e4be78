"""JSON texts, read as strictly as Spark reads them."""

import json
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

# Deeper nesting counts as invalid JSON, whatever Python's own limit is.
MOST_LEVELS = 1000
# The field, and its value as text; JSON null is None.
Fields = dict[str, str | None]
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def parse_json(
    text: str,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
    parse_int: Callable[[str], Any] | None = None,
) -> Any:
    """Parse a JSON text. Raises `ValueError` if it is invalid or nested too deeply.

    Without `parse_int`, an integer of more than 4,300 digits is invalid, too.
    """
    levels = accumulate(STEPS.get(character, 0) for character in STRINGS.sub("", text))
    if max(levels, default=0) > MOST_LEVELS:
        raise ValueError(f"at most {MOST_LEVELS} levels of nesting are read")
    return json.loads(
        text,
        object_pairs_hook=object_pairs_hook,
        parse_int=parse_int,
        parse_constant=_refuse_constant,
    )


class JsonObject(list[tuple[str, object]]):
    """The fields of a JSON object in their order; keys can repeat."""

    def first(self) -> dict[str, object]:
        """The fields by key; of a key that repeats, the first one."""
        found: dict[str, object] = {}
        for name, value in self:
            found.setdefault(name, value)
        return found


def read_object(
    text: str | None, parse_int: Callable[[str], Any] | None = None
) -> JsonObject | None:
    """Read a JSON object; None if the text is anything else."""
    try:
        content = None if text is None else parse_json(text, JsonObject, parse_int)
    except ValueError:
        return None
    return content if isinstance(content, JsonObject) else None


def payload_fields(payload: str | None) -> Fields | None:
    """Read the fields of a payload as texts; None if it is not a JSON object."""
    content = read_object(payload)
    if content is None:
        return None
    return {name: value_text(value) for name, value in content.first().items()}


def value_text(value: object) -> str | None:
    """Return a value as text: a string without its quotes, null as None, others as JSON."""
    return value if value is None or isinstance(value, str) else _json_text(value)


def _json_text(value: object) -> str:
    if isinstance(value, JsonObject):
        fields = [f"{_json_text(name)}:{_json_text(inner)}" for name, inner in value]
        return "{" + ",".join(fields) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_json_text(inner) for inner in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
