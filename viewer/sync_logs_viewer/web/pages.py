"""What a page is: its data, and the template that shows it."""

import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sync_logs_viewer.answers import Answers, Build
from sync_logs_viewer.questions import Query, Sync
from sync_logs_viewer.warehouse import Rows, WarehouseError

from .parameters import NotFoundError, Parameters

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Page:
    """One page, as HTML and as JSON."""

    title: str
    build: Build
    # what `.json` returns
    data: dict[str, Any]
    # links, charts and other values for the template only
    shown: dict[str, Any] = field(default_factory=dict)
    # the address of the page to show instead
    leads_to: str | None = None


@dataclass(frozen=True)
class Route:
    """A page's address, with its parameters and the function that builds it."""

    path: str
    template: str
    parameters: tuple[str, ...]
    make: Callable[[Parameters, Answers], Awaitable[Page]]


def first(rows: list[dict[str, Any]]) -> Mapping[str, Any] | None:
    """The only row of a result; None if there is none."""
    return rows[0] if rows else None


def cut(name: str, rows: list[dict[str, Any]], limit: int) -> dict[str, Any]:
    """The first rows of a result, and whether there are more; its query asks for one row more."""
    return {name: rows[:limit], f"has_more_{name}": len(rows) > limit}


async def with_optional(
    answers: Answers, asked: tuple[Query, ...], optional: Query, about: str
) -> tuple[Build, list[Rows], Rows]:
    """The rows of a page, and of one more query, as of one build.

    The last ones are none, and the log says why, if a warehouse lacks their tables. `about` names
    them. Raises WarehouseError for the others.
    """
    try:
        build, (*rows, more) = await answers.all(*asked, optional)
    except WarehouseError as error:
        LOG.warning("%s cannot be read: %s", about, error)
        return *(await answers.all(*asked)), []
    return build, rows, more


def with_samples(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with a list of sample identifiers instead of JSON."""
    return with_lists(rows, "sample_identifiers")


def with_lists(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """Rows with lists instead of JSON arrays; an empty one instead of null."""
    return [{**row, **{name: json.loads(row[name] or "[]") for name in names}} for row in rows]


def named(syncs: list[dict[str, Any]]) -> Mapping[tuple[str, str], str | None]:
    """The name of each sync, by its organisation and id."""
    return {(one["organization_id"], one["sync_id"]): one["model_name"] for one in syncs}


def the_sync(sync: Sync, rows: list[dict[str, Any]]) -> Mapping[str, Any]:
    """The row of a sync. Raises NotFoundError."""
    found = first(rows)
    if found is None:
        raise NotFoundError(
            f"There is no sync {sync.sync_id!r} of the organisation {sync.organization_id!r}."
        )
    return found


def activity_of(days: list[dict[str, Any]]) -> dict[str, Any]:
    """The last days of a sync, and how many earlier ones with how many runs are not shown."""
    names = ("recency_rank", "all_day_count", "all_run_count")
    whole = days[0] if days else dict.fromkeys(names, 0)
    return {
        "activity": [{key: day[key] for key in day if key not in names} for day in days],
        "earlier_day_count": whole["all_day_count"] - len(days),
        "earlier_run_count": int(whole["all_run_count"]) - sum(day["run_count"] for day in days),
    }


def has_failures(days: list[dict[str, Any]]) -> bool:
    """Whether a failure was open after one of the days, or was repaired on one."""
    return any(day["open_failure_count"] or day["repaired_failure_count"] for day in days)


def by_sync(days: list[dict[str, Any]]) -> Mapping[tuple[str, str], list[dict[str, Any]]]:
    """The days of each sync, by its organisation and id; empty for an unknown sync."""
    found = defaultdict(list)
    for day in days:
        found[day["organization_id"], day["sync_id"]].append(day)
    return found
