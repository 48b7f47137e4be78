"""Unparsed JSON: regular expressions that cut values out of a line without changing them.

Spark's own functions (`get_json_object`, `from_json`, `json_tuple`) rewrite numbers: `1e5` becomes
`100000.0`, and a long decimal loses digits. A cut keeps every character. This module does not
decide whether the text is valid JSON: a parser checks each line too.

Groups repeat possessively (`*+`): Java matches those in a loop, others by recursion, which ends in
a stack overflow on long texts. Single characters repeat greedily; Java has a faster loop for that.
"""

import json
import re
from collections.abc import Iterable

MAX_DEPTH = 64
"""Maximum nesting of objects and lists; a regular expression cannot recurse."""

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*+"'
_SCALAR = r'[^\s,\[\]{}"]+'
_SPACE = r"\s*+"


def _nested() -> str:
    deeper = ""
    for _ in range(MAX_DEPTH):
        deeper = rf'|[\[{{](?:[^\[\]{{}}"]+|{_STRING}{deeper})*+[\]}}]'
    return deeper.removeprefix("|")


VALUE = f"(?:{_STRING}|{_SCALAR}|{_nested()})"
MEMBER = f"{_STRING}{_SPACE}:{_SPACE}{VALUE}"

OBJECT = rf"(?s)^\s*+\{{{_SPACE}(?:{MEMBER}{_SPACE}(?:,{_SPACE}(?=\")|(?=\}})))*+\}}\s*+$"
"""A whole line that is one object, with nothing after it."""

ELEMENTS = rf"(?s)\G[\s\[,]*+({VALUE}|\](?=\s*+$)){_SPACE}"
"""Each element of a list, and the closing bracket if nothing follows it."""


def value_of(key: str) -> str:
    """A line that is one object; the first group is the value of a key, empty if it is absent."""
    name = _key(key)
    return (
        rf"(?s)^\s*+\{{(?:{_SPACE}(?!{name}{_SPACE}:){MEMBER}{_SPACE},)*+{_SPACE}"
        rf"(?:{name}{_SPACE}:{_SPACE}({VALUE}){_SPACE}|{MEMBER}{_SPACE})?+"
        rf"(?:,{_SPACE}{MEMBER}{_SPACE})*+\}}\s*+$"
    )


def members_without(keys: Iterable[str]) -> str:
    """Each member of an object; the first group is empty for members with one of the keys.

    The closing brace comes last, if nothing follows it.
    """
    names = "|".join(_key(key) for key in keys)
    left_out = f"(?:{names}){_SPACE}:{_SPACE}{VALUE}|" if names else ""
    return rf"(?s)\G[\s{{,]*+(?:{left_out}({MEMBER}|\}}(?=\s*+$))){_SPACE}"


def _key(key: str) -> str:
    spellings = {json.dumps(key), json.dumps(key, ensure_ascii=False)}
    return f"(?:{'|'.join(re.escape(spelling) for spelling in sorted(spellings))})"
