"""Changes of alerts: which there are, and which of them a channel has not been told."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, cast

Kind = Literal["opened", "worsened", "resolved", "withdrawn"]
# in the order in which an alert has them
KINDS: tuple[Kind, ...] = ("opened", "worsened", "resolved", "withdrawn")
ENDS: tuple[Kind, ...] = ("resolved", "withdrawn")
WORST_FIRST = ("critical", "warning")
# no run withdraws an alert, so all that can be said is the same for each
WITHDRAWN = "This alert is no longer there: its rule or the runs of its sync have changed."


@dataclass(frozen=True)
class Change:
    """One change of the state of an alert.

    `alert` is its row of the question `alerts`, or what the memory keeps of it.
    """

    kind: Kind
    alert: Mapping[str, Any] = field(compare=False)
    alert_id: str
    # an alert can open again under its id: a late run or another threshold changes its end
    number: int = 1

    @property
    def id(self) -> str:
        """The same in each build: an alert changes at most once in each way until it ends."""
        return f"{self.alert_id}-{self.kind}" + (f"-{self.number}" if self.number > 1 else "")

    @property
    def at(self) -> datetime | None:
        """The time of the run in which it changed."""
        return cast("datetime | None", self.alert.get(f"{self.kind}_at"))

    @property
    def sync_run_id(self) -> str | None:
        """The run in which it changed."""
        return cast("str | None", self.alert.get(f"{self.kind}_sync_run_id"))

    @property
    def severity(self) -> str:
        """The severity that it opened with, worsened to, or had at its worst."""
        if self.kind == "opened" and has_worsened(self.alert):
            # there are two severities
            return WORST_FIRST[-1]
        return str(self.alert["worst_severity"])

    @property
    def is_open(self) -> bool:
        """Whether the alert is open now, whatever this change was."""
        return bool(self.alert["is_open"])


@dataclass(frozen=True)
class Due:
    """What a channel is to be told, and what it is to count as told."""

    changes: list[Change]
    silent: list[Change]


def due(alerts: Iterable[Mapping[str, Any]], told: Iterable[Change] | None) -> Due:
    """What a channel that was told some changes is not told yet, in the order of time.

    `alerts` are all alerts: one that is not there is withdrawn. `told` is None if the channel is
    new: what ended before then is never sent. What opened and ended while it was muted is not sent
    either. What is open and muted waits: it is sent if it is still open when it is no longer muted.
    """
    told_of: dict[str, list[Change]] = defaultdict(list)
    for change in told or ():
        told_of[change.alert_id].append(change)
    changes, silent = [], []
    for alert in alerts:
        before = told_of.pop(alert["alert_id"], [])
        for change in _new(alert, before):
            is_end_of_told = change.kind in ENDS and _has(before, change.number, "opened")
            is_muted = alert["is_muted"] and not is_end_of_told
            if not is_muted and (alert["is_open"] or told is not None):
                changes.append(change)
            elif not alert["is_open"]:
                silent.append(change)
    changes += [_withdrawn(before) for before in told_of.values() if not _has_ended(before)]
    return Due(sorted(changes, key=_order), silent)


def changes_of(alert: Mapping[str, Any], number: int = 1) -> list[Change]:
    """All changes that an alert has had since it opened for the nth time."""
    had: dict[Kind, bool] = {
        "opened": True,
        "worsened": has_worsened(alert),
        "resolved": not alert["is_open"],
    }
    return [Change(kind, alert, alert["alert_id"], number) for kind in had if had[kind]]


def has_worsened(alert: Mapping[str, Any]) -> bool:
    """Whether an alert got a worse severity after it opened."""
    return (alert.get("worsened_at"), alert.get("worsened_sync_run_id")) != (None, None)


def worst_first(changes: Iterable[Change]) -> list[Change]:
    """Changes of alerts that are still open first, then by severity, then the newest first."""

    def order(change: Change) -> tuple[bool, int, float, int, str]:
        time, kind, alert_id = _order(change)
        return not change.is_open, WORST_FIRST.index(change.severity), -time, -kind, alert_id

    return sorted(changes, key=order)


def _new(alert: Mapping[str, Any], before: Collection[Change]) -> list[Change]:
    """The changes of an alert, without those that were told before."""
    number = _number(before)
    if _has_ended(before):
        if not alert["is_open"]:
            # nobody wants to hear of its past after its end
            return []
        number += 1
    return [one for one in changes_of(alert, number) if not _has(before, number, one.kind)]


def _number(before: Collection[Change]) -> int:
    return max((one.number for one in before), default=1)


def _has(before: Iterable[Change], number: int, kind: Kind) -> bool:
    return any((one.number, one.kind) == (number, kind) for one in before)


def _has_ended(before: Collection[Change]) -> bool:
    return any(_has(before, _number(before), kind) for kind in ENDS)


def _withdrawn(before: Collection[Change]) -> Change:
    """The end of an alert whose row is gone, from what is kept of its changes."""
    worst = min(before, key=lambda one: (-one.number, WORST_FIRST.index(one.severity)))
    alert = {**worst.alert, "is_open": False, "message": WITHDRAWN}
    return Change("withdrawn", alert, worst.alert_id, worst.number)


def _order(change: Change) -> tuple[float, int, str]:
    kind = KINDS.index(change.kind)
    if change.kind == "withdrawn":
        # it is found now
        return float("inf"), kind, change.alert_id
    # a run can have no time or a wrong one; the changes of one alert keep their order even so
    times = [change.alert[f"{one}_at"] for one in KINDS[: kind + 1]]
    known = [one.timestamp() for one in times if one is not None]
    return max(known, default=float("-inf")), kind, change.alert_id
