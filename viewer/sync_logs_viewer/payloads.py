"""Readable payloads: indented, with each number and each key as it was logged."""

import json
import re
from typing import Any

# payloads that are nested deeper are shown unchanged
DEEPEST = 50
HALVES = re.compile("[\ud800-\udfff]")


class Number(str):
    """A number as it was written: large ones (from 2⁵³) and 1.10 keep their digits."""


class Pairs(list[tuple[str, Any]]):
    """An object, with duplicate keys."""


def parsed(text: str) -> Any:
    """A payload with `Pairs` for its objects. Raises ValueError, RecursionError."""
    return json.loads(text, object_pairs_hook=Pairs, parse_int=Number, parse_float=Number)


def pretty(text: str) -> str:
    """A payload with a line for each field; unchanged if it is not a JSON object or list."""
    try:
        payload = parsed(text)
        return lines(payload) if isinstance(payload, list) else text
    except (ValueError, RecursionError):
        return text


def lines(value: Any) -> str:
    """A parsed value, with a line for each of its fields. Raises RecursionError."""
    return _lines(value, "")


def _lines(value: Any, indent: str) -> str:
    inner = indent + "  "
    if len(inner) > 2 * DEEPEST:
        raise RecursionError
    if isinstance(value, Pairs):
        fields = [f"{inner}{dumped(key)}: {_lines(one, inner)}" for key, one in value]
        return _bracketed("{}", fields, indent)
    if isinstance(value, list):
        return _bracketed("[]", [inner + _lines(one, inner) for one in value], indent)
    return str(value) if isinstance(value, Number) else dumped(value)


def _bracketed(brackets: str, parts: list[str], indent: str) -> str:
    if not parts:
        return brackets
    return f"{brackets[0]}\n" + ",\n".join(parts) + f"\n{indent}{brackets[1]}"


def dumped(value: Any) -> str:
    """A value as JSON; lone surrogates, which cannot be encoded, stay escaped."""
    return HALVES.sub(
        lambda found: f"\\u{ord(found.group()):04x}", json.dumps(value, ensure_ascii=False)
    )
