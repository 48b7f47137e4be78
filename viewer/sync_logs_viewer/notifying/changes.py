"""Changes of alerts: which there are, and which of them a channel has not been told."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Kind = Literal["opened", "worsened", "resolved"]
KINDS: tuple[Kind, ...] = ("opened", "worsened", "resolved")
WORST_FIRST = ("critical", "warning")


@dataclass(frozen=True)
class Change:
    """One change of the state of an alert; `alert` is its row of the question `alerts`."""

    kind: Kind
    alert: Mapping[str, Any] = field(compare=False)
    alert_id: str

    @property
    def id(self) -> str:
        """The same in each build: an alert changes at most once in each way."""
        return f"{self.alert_id}-{self.kind}"

    @property
    def at(self) -> datetime | None:
        """The time of the run in which it changed."""
        at: datetime | None = self.alert[f"{self.kind}_at"]
        return at

    @property
    def sync_run_id(self) -> str | None:
        """The run in which it changed."""
        run: str | None = self.alert[f"{self.kind}_sync_run_id"]
        return run

    @property
    def severity(self) -> str:
        """The severity that it opened with, worsened to, or had at its worst."""
        if self.kind == "opened" and has_worsened(self.alert):
            # there are two severities
            return WORST_FIRST[-1]
        return str(self.alert["worst_severity"])


@dataclass(frozen=True)
class Due:
    """What a channel is to be told, and what it is to count as told."""

    changes: list[Change]
    silent_ids: list[str]


def due(alerts: Iterable[Mapping[str, Any]], told: Collection[str] | None) -> Due:
    """What a channel that was told some changes is not told yet, in the order of time.

    `told` is None if the channel is new: what ended before then is never sent. What ended while it
    was muted is not sent either. What is open and muted waits: it is sent if it is still open when
    it is no longer muted.
    """
    changes, silent_ids = [], []
    for alert in alerts:
        for change in changes_of(alert):
            if told is not None and change.id in told:
                continue
            if alert["is_open"]:
                if not alert["is_muted"]:
                    changes.append(change)
            elif alert["is_muted"] or told is None:
                silent_ids.append(change.id)
            else:
                changes.append(change)
    return Due(sorted(changes, key=_order), silent_ids)


def changes_of(alert: Mapping[str, Any]) -> list[Change]:
    """All changes that an alert has had."""
    had = {"opened": True, "worsened": has_worsened(alert), "resolved": not alert["is_open"]}
    return [Change(kind, alert, alert["alert_id"]) for kind in KINDS if had[kind]]


def has_worsened(alert: Mapping[str, Any]) -> bool:
    """Whether an alert got a worse severity after it opened."""
    return alert["worsened_at"] is not None or alert["worsened_sync_run_id"] is not None


def worst_first(changes: Iterable[Change]) -> list[Change]:
    """Changes by severity; those that opened or worsened before those that were resolved."""
    return sorted(
        changes,
        key=lambda one: (WORST_FIRST.index(one.severity), one.kind == "resolved", *_order(one)),
    )


def _order(change: Change) -> tuple[float, int, str]:
    # a run can have no time; the changes of one alert keep their order even at one time
    at = change.at or change.alert["opened_at"]
    return (at.timestamp() if at else float("-inf"), KINDS.index(change.kind), change.alert_id)
