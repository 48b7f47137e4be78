"""The arguments of questions: their names and types, and how a wrong one is refused.

The terminal and the tools for machines read their arguments here, so both refuse the same ones with
the same sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sync_logs_viewer.payloads import HALVES
from sync_logs_viewer.questions.filters import word_of
from sync_logs_viewer.web.parameters import DAY, MOMENT, day, micros

DEFAULT_ROWS = 100
# a wrong value is repeated in the message up to this length
LONGEST_SHOWN = 200
Values = Mapping[str, Any]


class GivenError(ValueError):
    """The caller gave something wrong, or too little; the message says what to change."""


@dataclass(frozen=True)
class Kind:
    """A type of arguments."""

    # what was expected, for messages
    expected: str
    # raises ValueError, TypeError or OverflowError
    read: Callable[[Any], Any]
    # the JSON Schema of a value
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Parameter:
    """An argument that a question takes."""

    name: str
    about: str
    kind: Kind
    is_required: bool = False
    default: Any = None


def values_of(
    parameters: Sequence[Parameter],
    given: Mapping[str, object],
    spelled: Callable[[str], str],
) -> Values:
    """The value of each parameter; its default if it is not given.

    `spelled` is how the caller writes the name of a parameter. Raises GivenError.
    """
    known = {one.name: one for one in parameters}
    # null is what a caller leaves out
    given = {name: value for name, value in given.items() if value is not None}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise GivenError(
            f"unrecognized arguments: {shown(', '.join(unknown))}. There are: "
            f"{', '.join(map(spelled, known)) or 'none'}."
        )
    lacking = [spelled(one.name) for one in parameters if one.is_required and one.name not in given]
    if lacking:
        raise GivenError(f"the following arguments are required: {', '.join(lacking)}.")
    return {
        name: _read(one, given[name], spelled(name)) if name in given else one.default
        for name, one in known.items()
    }


def one_of(*words: str) -> Kind:
    """One of some words, in any case."""

    def read(given: Any) -> str:
        word = word_of(_text(given), words)
        if word is None:
            raise ValueError(given)
        return word

    return Kind(f"one of: {', '.join(words)}", read, {"type": "string", "enum": list(words)})


def rows_up_to(most: int) -> Parameter:
    """How many rows an answer may have."""

    def read(given: Any) -> int:
        if type(given) is not int or not 1 <= given <= most:
            raise ValueError(given)
        return given

    kind = Kind(
        f"a whole number from 1 to {most}",
        read,
        {"type": "integer", "minimum": 1, "maximum": most, "default": DEFAULT_ROWS},
    )
    return Parameter(
        "rows", f"at most this many rows; default: {DEFAULT_ROWS}", kind, default=DEFAULT_ROWS
    )


def _read(parameter: Parameter, given: object, spelled: str) -> Any:
    try:
        return parameter.kind.read(given)
    except (ValueError, TypeError, OverflowError):
        raise GivenError(
            f"{spelled} is {shown(repr(given))}; expected {parameter.kind.expected}."
        ) from None


def shown(text: str) -> str:
    """A value of the caller for a message, cut if it is long."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _text(given: Any) -> str:
    # no file and no column can have lone surrogates
    if not isinstance(given, str) or HALVES.search(given):
        raise ValueError(given)
    return given


def _flag(given: Any) -> bool:
    if not isinstance(given, bool):
        raise ValueError(given)
    return given


TEXT = Kind("a text", _text, {"type": "string"})
TIME = Kind(MOMENT, lambda given: micros(_text(given)), {"type": "string", "format": "date-time"})
DATE = Kind(DAY, lambda given: day(_text(given)), {"type": "string", "format": "date"})
FLAG = Kind("true or false", _flag, {"type": "boolean"})
