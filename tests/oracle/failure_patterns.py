"""The pattern of a failure reason (docs/answers.md, Failure patterns)."""

import re

from .json_texts import payload_fields
from .pattern_rules import replace_other_values
from .pattern_values import is_value, replace_value

MOST_CHARACTERS = 1000
ANSI_CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WHITE_SPACE = re.compile("[ \t\n\v\f\r\u00a0]+")
REPEATED = re.compile(r"(<[^<>]*>)(?:(?:[,;] ?| )\1)+")


def failure_pattern(reason: str | None, payload: str | None, identifier: str | None) -> str | None:
    """Return a reason without what differs from record to record; null if it is null."""
    if reason is None:
        return None
    text = _folded(ANSI_CODE.sub("", reason[:MOST_CHARACTERS]))
    for name, value in values_of(payload):
        text = replace_value(text, value, f"<{name}>")
    if identifier is not None and is_value(_folded(identifier), set(payload_fields(payload) or {})):
        text = replace_value(text, _folded(identifier), "<identifier>")
    return REPEATED.sub(r"\1", replace_other_values(text))


def values_of(payload: str | None) -> list[tuple[str, str]]:
    """List the names and texts of the fields whose values are replaced, in this order."""
    fields = payload_fields(payload) or {}
    texts = [(name, _folded(text)) for name, text in fields.items() if text is not None]
    found = [(name, text) for name, text in texts if is_value(text, set(fields))]
    return sorted(found, key=lambda one: (-len(one[1]), one[0].encode()))


def _folded(text: str) -> str:
    return WHITE_SPACE.sub(" ", text).strip(" ")
