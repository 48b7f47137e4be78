"""The query string of an address: each page declares its parameters; others are refused."""

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import date, datetime, timezone
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from sync_logs_viewer.masks import Mask
from sync_logs_viewer.payloads import HALVES
from sync_logs_viewer.questions import RecordFilters, Run, Sync
from sync_logs_viewer.questions.filters import STATUSES, word_of

# such as 2026-01-31T06:00:00Z; times without an offset are UTC
MOMENT = "a time such as 2026-01-31T06:00:00Z"
DAY = "a day such as 2026-01-31"


class AddressError(Exception):
    """An address that is refused with a message; status 400 unless a subclass changes it."""

    status = 400


class NotFoundError(AddressError):
    """What an address names does not exist."""

    status = 404


class HashedInstead(Exception):
    """The address has an identifier that must not be shown; use the address with its hash."""

    def __init__(self, parameters: dict[str, str]) -> None:
        super().__init__()
        self.parameters = parameters


class Parameters:
    """The parameters of an address; its page knows all of them. Raises AddressError."""

    def __init__(self, given: QueryParams, known: Sequence[str], mask: Mask) -> None:
        self.given = dict(given)
        self._mask = mask
        for name, _ in given.multi_items():
            if name not in known:
                raise AddressError(
                    f"This page does not know the parameter {name!r}. It takes: "
                    f"{', '.join(known) or 'none'}."
                )
            if len(given.getlist(name)) > 1:
                raise AddressError(f"The parameter {name!r} is given more than once.")

    def drop_empty(self) -> None:
        """Take empty parameters as missing: a form also sends the fields that are left empty."""
        self.given = {name: value for name, value in self.given.items() if value}

    def text(self, name: str) -> str | None:
        """A text; None if it is missing, "" if it is empty."""
        return self.given.get(name)

    def required(self, name: str) -> str:
        """A required text."""
        if name not in self.given:
            raise AddressError(f"This page needs the parameter {name!r}.")
        return self.given[name]

    def one_of(self, name: str, allowed: Sequence[str]) -> str | None:
        """One of the allowed words; the case does not matter."""
        if name not in self.given:
            return None
        word = word_of(self.given[name], allowed)
        if word is None:
            raise AddressError(
                f"{name!r} is {self.given[name]!r}; expected one of: {', '.join(allowed)}."
            )
        return word

    def moment(self, name: str) -> int | None:
        """A time, as microseconds since 1970 (UTC)."""
        if name not in self.given:
            return None
        try:
            return micros(self.given[name])
        except (ValueError, OverflowError):
            raise AddressError(f"{name!r} is {self.given[name]!r}; expected {MOMENT}.") from None

    def day(self, name: str) -> date | None:
        """A day (UTC)."""
        if name not in self.given:
            return None
        try:
            return day(self.given[name])
        except ValueError:
            raise AddressError(f"{name!r} is {self.given[name]!r}; expected {DAY}.") from None

    def key(self, name: str, *types: type | None) -> tuple[Any, ...] | None:
        """Where a page of a list begins: the values, of these types, that `key_of` has encoded.

        Whole numbers have at most 64 bits. The type None means a nullable whole number of any
        size.
        """
        if name not in self.given:
            return None
        try:
            parts = _decoded(self.given[name])
            if len(parts) == len(types) and all(map(_is_of_type, parts, types)):
                return tuple(parts)
            raise ValueError(name)
        except (ValueError, TypeError, binascii.Error, RecursionError):
            raise AddressError(
                f"{name!r} is not from a link of this page; leave it out to begin at the first row."
            ) from None

    def sync(self) -> Sync:
        """The sync that an address names."""
        return Sync(self.required("organization_id"), self.required("sync_id"))

    def run(self) -> Run:
        """The run that an address names."""
        sync = self.sync()
        return Run(sync.organization_id, sync.sync_id, self.required("sync_run_id"))

    def filters(self) -> RecordFilters:
        """The filters on a run's records that an address has."""
        return RecordFilters(
            status=self.one_of("status", STATUSES),
            operation=self.text("operation"),
            failure_reason=self.text("failure_reason"),
            identifier=self.identifier("identifier"),
            identifier_prefix=self._prefix("identifier_prefix"),
        )

    def required_identifier(self, name: str) -> str:
        """A required identifier, masked. Raises HashedInstead."""
        self.required(name)
        return self.identifier(name) or ""

    def identifier(self, name: str) -> str | None:
        """An identifier, masked. Raises HashedInstead if the address has the original."""
        given = self.given.get(name)
        if given is None or self._mask.identifiers == "shown":
            return given
        if self._mask.identifiers == "hidden":
            raise AddressError(
                "Identifiers are hidden here (SYNC_LOGS_MASK): you cannot search for one."
            )
        shown = self._mask.asked(given) or ""
        if shown != given:
            raise HashedInstead({**self.given, name: shown})
        return given

    def _prefix(self, name: str) -> str | None:
        if name in self.given and self._mask.identifiers != "shown":
            raise AddressError(
                "Identifiers are masked here (SYNC_LOGS_MASK): search for a whole one."
            )
        return self.given.get(name)


def _is_of_type(part: object, expected: type | None) -> bool:
    if expected is str:
        # no file and no column can have lone surrogates
        return isinstance(part, str) and not HALVES.search(part)
    if expected is None:
        return part is None or (type(part) is int and abs(part) < 10**38)
    return type(part) is int and abs(part) < 2**63


def micros(text: str) -> int:
    """A time as microseconds since 1970 (UTC). Raises ValueError."""
    # Python 3.10 cannot parse the Z
    moment = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    since = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def day(text: str) -> date:
    """A day, written as in `DAY` only. Raises ValueError."""
    found = date.fromisoformat(text)
    # later versions of Python also know 20260131 and 2026-W05-6
    if found.isoformat() != text:
        raise ValueError(text)
    return found


def key_of(*parts: object) -> str:
    """The key of a row, for the address of the next page."""
    text = json.dumps(parts, default=int, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decoded(key: str) -> list[object]:
    padded = key.encode() + b"=" * (-len(key) % 4)
    parts = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    if not isinstance(parts, list):
        raise ValueError(key)
    return parts


def address(path: str, given: dict[str, object | None]) -> str:
    """An address with parameters; None leaves one out."""
    kept = {name: value for name, value in given.items() if value is not None}
    return f"{path}?{urlencode(kept)}" if kept else path
