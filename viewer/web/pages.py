"""What a page is: its data, and the template that shows them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from viewer.answers import Answers, Build

from .parameters import Parameters


@dataclass(frozen=True)
class Page:
    """One page, as it is shown and as it is given as data."""

    title: str
    build: Build
    # what `.json` gives
    data: dict[str, Any]
    # links, charts and the like, for the template alone
    shown: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Route:
    """A page's address: what it takes, and how it is made."""

    path: str
    template: str
    parameters: tuple[str, ...]
    make: Callable[[Parameters, Answers], Awaitable[Page]]


def first(rows: list[dict[str, Any]]) -> Mapping[str, Any] | None:
    """The one row of an answer; None if there is none."""
    return rows[0] if rows else None
