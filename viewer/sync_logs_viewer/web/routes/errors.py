"""What is refused and why: causes, failure patterns by sync, the reasons of one, and categories."""

from typing import Any

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.questions.pages import DEFAULT_ORDER, PATTERNS_SHOWN, SORTS, Order
from sync_logs_viewer.web.pages import Page, Route, cut, named, with_lists, with_samples
from sync_logs_viewer.web.parameters import Parameters, key_of

CLUSTERS, PATTERNS, ROWS, CATEGORIES = 5, 25, 200, 100
FILTERS = ("organization_id", "sync_id", "category", "failure_pattern")
PARAMETERS = (*FILTERS, "status", "sort", "after")


def questions(
    organization_id: str | None = None,
    sync_id: str | None = None,
    category: str | None = None,
    failure_pattern: str | None = None,
    order: Order = DEFAULT_ORDER,
) -> tuple[Query, ...]:
    """The queries of the page.

    The last asks for the reasons of a chosen pattern only, because there can be many; if nothing is
    chosen, for causes, which go over all syncs.
    """
    about = (organization_id, category)
    of_pattern = catalog.errors(*about, ROWS, failure_pattern, sync_id)
    chosen = (organization_id, sync_id, category, failure_pattern, order.after_place or None)
    return (
        catalog.error_patterns(*about, failure_pattern, PATTERNS, sync_id, order),
        catalog.pattern_counts(organization_id, failure_pattern, sync_id),
        catalog.error_categories(*about, CATEGORIES + 1, sync_id),
        catalog.syncs(),
        *([] if failure_pattern is None else [of_pattern]),
        *([catalog.error_clusters(CLUSTERS)] if set(chosen) == {None} else []),
    )


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of errors."""
    organization_id, sync_id, category, pattern = (parameters.text(name) for name in FILTERS)
    has_reasons = pattern is not None
    sort = parameters.one_of("sort", SORTS) or SORTS[0]
    status = parameters.one_of("status", PATTERNS_SHOWN) or ("all" if has_reasons else None)
    after = parameters.key("after", str, int)
    order = Order(status, sort, max(after[1], 0) if after else 0)
    build, (patterns, counts, categories, syncs, *last) = await answers.all(
        *questions(organization_id, sync_id, category, pattern, order)
    )
    reasons, causes = (last, []) if has_reasons else ([], last)
    if answers.mask.identifiers != "shown":
        # no identifier is known that the mask could find in them
        causes = []
    numbers = by_status(counts, category)
    shown = status or ("failing" if numbers["failing"] else "all")
    begin = order.after_place + len(patterns)
    found = counted("pattern", "patterns", patterns, "failing_pattern_count", "place")
    return Page(
        "Errors",
        build,
        {
            "clusters": with_lists(causes[0] if causes else [], "failure_patterns", "vendors"),
            **{"status": shown, "status_counts": numbers, "sort": sort},
            **{**found, "pattern_count": numbers[shown]},
            "after": key_of(build.load_id, begin) if begin < numbers[shown] else None,
            **counted("error", "errors", reasons[0] if reasons else []),
            **cut("categories", categories, CATEGORIES),
        },
        {
            "names": named(syncs),
            "has_reasons": has_reasons,
            "first_place": order.after_place + 1,
            "is_newer": after is not None and after[0] != build.load_id,
            "statuses": {"failing": "Failing now", "all": "All"},
            "category_counts": by_category(counts, shown, category),
        },
    )


def by_status(counts: list[dict[str, Any]], category: str | None) -> dict[str, int]:
    """How many patterns of a category, or of all, fail now and ever did."""
    of_category = [one for one in counts if category is None or one["category"] == category]
    return {
        "failing": sum(one["failing_pattern_count"] for one in of_category),
        "all": sum(one["pattern_count"] for one in of_category),
    }


def by_category(counts: list[dict[str, Any]], status: str, category: str | None) -> dict[str, int]:
    """How many patterns each category has, those that fail now or all; the chosen one is there."""
    name = "failing_pattern_count" if status == "failing" else "pattern_count"
    found = {one["category"]: one[name] for one in counts}
    return found if category is None else {**found, category: found.get(category, 0)}


def counted(noun: str, name: str, rows: list[dict[str, Any]], *others: str) -> dict[str, Any]:
    """Rows with their examples, and how many there are; each row of the query has the number.

    `others` are further columns that are not shown.
    """
    count = f"{noun}_count"
    kept = [{key: row[key] for key in row if key not in (count, *others)} for row in rows]
    return {name: with_samples(kept), count: rows[0][count] if rows else 0}


ROUTE = Route("/errors", "errors.html", PARAMETERS, make)
