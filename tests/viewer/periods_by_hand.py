"""Two periods of a sync in plain Python, from rows of the documented tables."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, time, timezone
from typing import Any

from sync_logs_viewer.periods import Period

Row = dict[str, Any]


def sums(days: Iterable[Row], period: Period, *columns: str) -> dict[str, int | None]:
    """The sum of each column of `sync_activity_daily` in a period; null without a day."""
    within = [one for one in days if period.first <= one["activity_date"] <= period.last]
    return {
        column: sum(int(one[column]) for one in within) if within else None for column in columns
    }


def change_of_patterns(
    failures: Iterable[Row], patterns: Iterable[Row], later: Period, earlier: Period
) -> dict[str | None, tuple[str | None, int | None, int | None]]:
    """How each pattern changed, with the records that were failing before and after."""
    kept = list(failures)
    found: dict[str | None, tuple[str | None, int | None, int | None]] = {}
    before, after = _failing(kept, earlier), _failing(kept, later)
    for row in patterns:
        name, first, last = row["failure_pattern"], row["first_seen_at"], row["last_seen_at"]
        had = 0 if first and first.date() > earlier.last else len(before[name])
        has = len(after[name])
        if had or has:
            words = "new" if not had else "gone" if not has else None
            words = words or ("grew" if has > had else "shrank" if has < had else "same")
            found[name] = (words, had, has)
        elif first and any(_overlap(first, last, one) for one in (later, earlier)):
            began = _start(later)
            words = "new" if first >= began else "gone" if last < began else None
            found[name] = (words, None, None)
    return found


def _failing(failures: Iterable[Row], period: Period) -> dict[str | None, set[str]]:
    """The records that were failing at some moment of a period, by pattern."""
    found: dict[str | None, set[str]] = defaultdict(set)
    for one in failures:
        began, last, ended = one["started_at"], one["last_failed_at"], one["ended_at"]
        if began is None or began.date() > period.last:
            continue
        # the moment of the last failed outcome counts, that of the end does not
        is_after = ended is not None and ended > _start(period)
        if one["is_open"] or is_after or _overlap(began, last, period):
            found[one["failure_pattern"]].add(one["row_id"])
    return found


def _overlap(first: datetime, last: datetime, period: Period) -> bool:
    return first.date() <= period.last and last >= _start(period)


def _start(period: Period) -> datetime:
    return datetime.combine(period.first, time(), timezone.utc)
