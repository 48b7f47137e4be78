"""Masking of records: the setting `SYNC_LOGS_MASK`, for every place that shows rows.

It is a comma-separated list: `identifiers:hashed` or `identifiers:hidden`, and `payload:<key>` for
each payload key, in any case, whose value is hidden, at any depth. Null and "" show everything.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sync_logs_viewer.payloads import Number, Pairs, dumped, parsed

VARIABLE = "SYNC_LOGS_MASK"
HIDDEN = "(hidden)"
# shorter texts also occur in unrelated words
SHORTEST_REPLACED = 3
IDENTIFIERS = ("identifier", "row_id", "sample_row_id")
TEXTS_ABOUT_RECORDS = (
    *("failure_reason", "sample_failure_reason", "status_message", "failure_pattern", "message"),
)
VALUES_OF_FIELDS = (*("previous_value", "new_value", "sample_previous_value", "sample_new_value"),)
# numbers that tell of the values of a field
FIGURES_OF_FIELDS = ("longest_text", "largest_number")


class MaskError(ValueError):
    """The setting is wrong; the message says what was expected and given."""


@dataclass(frozen=True)
class Mask:
    """Which values are not shown."""

    identifiers: Literal["shown", "hashed", "hidden"] = "shown"
    keys: frozenset[str] = field(default_factory=frozenset)

    @property
    def is_hashed(self) -> bool:
        """Whether identifiers are shown as hashes."""
        return self.identifiers == "hashed"

    def identifier(self, identifier: str | None) -> str | None:
        """An identifier of a row, masked."""
        if identifier is None or self.identifiers == "shown":
            return identifier
        return HIDDEN if self.identifiers == "hidden" else hashed(identifier)

    def asked(self, identifier: str | None) -> str | None:
        """An identifier that a user searches for, masked; a hash stays as it is."""
        if identifier is not None and self.is_hashed and HASH.fullmatch(identifier):
            return identifier
        return self.identifier(identifier)

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Rows of a query, masked."""
        if self == SHOWS_ALL:
            return [dict(row) for row in rows]
        return [self._row(dict(row)) for row in rows]

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        secrets = self._secrets(row)
        if row.get("example") is not None:
            row["example"] = self._example(row)
        for name in IDENTIFIERS:
            if name in row:
                row[name] = self.identifier(row[name])
        if row.get("sample_identifiers"):
            samples = [self.identifier(one) for one in json.loads(row["sample_identifiers"])]
            row["sample_identifiers"] = json.dumps(samples, ensure_ascii=False)
        if self.keys and row.get("record_payload") is not None:
            row["record_payload"] = masked_payload(row["record_payload"], self.keys)
            if "payload_length" in row:
                # the original length would reveal how long the hidden values are
                row["payload_length"] = len(row["record_payload"])
        for name in VALUES_OF_FIELDS if self.keys else ():
            if row.get(name) is not None:
                row[name] = self._value(row["field_name"], row[name])
        for name in FIGURES_OF_FIELDS if self.keys else ():
            if row.get(name) is not None and row["field_name"].casefold() in self.keys:
                row[name] = HIDDEN
        for name in TEXTS_ABOUT_RECORDS:
            for secret in secrets:
                if isinstance(row.get(name), str):
                    row[name] = row[name].replace(secret, HIDDEN)
        return row

    def _example(self, row: Mapping[str, Any]) -> str:
        """An example of a field, masked as a value and where it repeats the row's identifier."""
        example, identifier = str(row["example"]), row["row_id"]
        if self.keys:
            example = self._value(row["field_name"], example)
        if self.identifiers == "shown" or not identifier:
            return example
        # a field of the identifier is hidden however short it is
        if example == identifier:
            return HIDDEN
        if len(identifier) < SHORTEST_REPLACED:
            return example
        # inside a nested value, it is written as JSON
        return example.replace(identifier, HIDDEN).replace(dumped(identifier)[1:-1], HIDDEN)

    def _value(self, field_name: str | None, value: str) -> str:
        """A field's value, masked: a whole payload if the field has no name; it can have keys."""
        if field_name is not None and field_name.casefold() in self.keys:
            return HIDDEN
        has_keys = field_name is None or value.lstrip()[:1] in ("{", "[")
        return masked_payload(value, self.keys) if has_keys else value

    def _secrets(self, row: Mapping[str, Any]) -> list[str]:
        """Values of the row that its messages may repeat, the longest first."""
        found: list[str] = []
        if self.identifiers != "shown":
            found += [row[name] for name in IDENTIFIERS if row.get(name)]
            found += json.loads(row.get("sample_identifiers") or "[]")
        if self.keys and row.get("record_payload"):
            found += values_of(row["record_payload"], self.keys)
        return sorted({one for one in found if len(one) >= SHORTEST_REPLACED}, key=len)[::-1]


SHOWS_ALL = Mask()
HASH = re.compile(r"sha256:[0-9a-f]{16}")


def hashed(identifier: str) -> str:
    """A hash of an identifier; the SQL of the queries computes the same."""
    return f"sha256:{hashlib.sha256(identifier.encode('utf-8')).hexdigest()[:16]}"


def mask_of(setting: str | None) -> Mask:
    """The mask that a setting describes. Raises MaskError."""
    identifiers: Any = "shown"
    keys = set()
    for part in filter(None, (part.strip() for part in (setting or "").split(","))):
        kind, _, value = part.partition(":")
        if kind == "identifiers" and value in ("shown", "hashed", "hidden"):
            identifiers = value
        elif kind == "payload" and value:
            keys.add(value.casefold())
        else:
            raise MaskError(
                f"{VARIABLE} has {part!r}; expected identifiers:hashed, identifiers:hidden, or "
                "payload:<key>, separated by commas."
            )
    return Mask(identifiers, frozenset(keys))


def masked_payload(text: str, keys: frozenset[str]) -> str:
    """A payload without the values of some keys; hidden as a whole if it is not JSON."""
    try:
        return _json(_masked(parsed(text), keys))
    except (ValueError, RecursionError):
        return HIDDEN


def values_of(text: str, keys: frozenset[str]) -> list[str]:
    """The texts and numbers under some keys of a payload."""
    try:
        return list(_values(parsed(text), keys))
    except (ValueError, RecursionError):
        return []


def _masked(value: Any, keys: frozenset[str]) -> Any:
    if isinstance(value, Pairs):
        return Pairs((k, HIDDEN if k.casefold() in keys else _masked(v, keys)) for k, v in value)
    return [_masked(one, keys) for one in value] if isinstance(value, list) else value


def _values(value: Any, keys: frozenset[str], is_secret: bool = False) -> Iterable[str]:
    if isinstance(value, Pairs):
        for key, inner in value:
            yield from _values(inner, keys, is_secret or key.casefold() in keys)
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner, keys, is_secret)
    elif is_secret and isinstance(value, str):
        yield str(value)


def _json(value: Any) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, Pairs):
        inner = (f"{dumped(k)}: {_json(v)}" for k, v in value)
        return f"{{{', '.join(inner)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    return dumped(value)
