"""The rules of alerts, built-in and of the user (docs/answers.md, Alerts)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

# From the mildest to the worst.
SEVERITIES = ("warning", "critical")
# The severity of a row that only ends a rule.
OFF = "off"


@dataclass(frozen=True)
class AlertRule:
    """A threshold of a rule for one severity, and for which syncs it is; by default for all."""

    rule: str
    severity: str
    threshold: float | None = None
    minimum: float | None = None
    organization_id: str | None = None
    sync_id: str | None = None
    muted_until: datetime | None = None

    @property
    def only_mutes(self) -> bool:
        """Whether it mutes alerts, and leaves it to other rows when they open."""
        is_empty = self.threshold is None and self.minimum is None
        return self.severity != OFF and self.muted_until is not None and is_empty

    def applies_to(self, rule: str, organization_id: str, sync_id: str) -> bool:
        """Whether it is a row of a rule for a sync, with a known severity."""
        return (
            self.rule == rule
            and self.organization_id in (None, organization_id)
            and self.sync_id in (None, sync_id)
            and self.severity in (*SEVERITIES, OFF)
        )


AlertRules = Sequence[AlertRule]

BUILT_IN = (
    AlertRule("run_failed", "critical", 1),
    AlertRule("rejection_rate", "warning", 0.05, 10),
    AlertRule("rejection_rate", "critical", 0.75, 10),
    AlertRule("invalid_rate", "warning", 0.05, 10),
    AlertRule("new_error_pattern", "warning", 5),
    AlertRule("record_count", "warning", 5, 100),
    AlertRule("mass_removal", "critical", 0.3, 100),
    AlertRule("full_resync", "warning", 0.5, 100),
    AlertRule("duration", "warning", 3, 600),
    AlertRule("incomplete_log", "warning", 1),
    AlertRule("old_failures", "warning", 1),
    AlertRule("payload_schema", "warning", 1),
    AlertRule("late", "warning", 1.5),
    AlertRule("late", "critical", 3),
)


@dataclass(frozen=True)
class Limits:
    """What counts for one sync and rule: the threshold of each severity, and the minimum."""

    thresholds: dict[str, float]
    minimum: float | None
    muted_until: datetime | None = None

    def severity_of(self, value: float) -> str | None:
        """Return the worst severity whose threshold a value reaches."""
        reached = [one for one in self.thresholds if value >= self.thresholds[one]]
        return max(reached, key=SEVERITIES.index, default=None)


def limits_of(rule: str, organization_id: str, sync_id: str, user_rules: AlertRules = ()) -> Limits:
    """Find what counts for a sync: the rows of the most specific scope, all of them.

    Rows that only mute count too, of any scope, but only for the time until which it is muted.
    """
    applying = [one for one in user_rules if one.applies_to(rule, organization_id, sync_id)]
    deciding = _most_specific([one for one in applying if not one.only_mutes])
    muting = [one for one in applying if one.only_mutes]
    return _limits(deciding or _built_in(rule), muting)


def _most_specific(rows: list[AlertRule]) -> list[AlertRule]:
    """Pick the rows for the sync, else for the organisation, else for all."""
    for_sync = [one for one in rows if one.sync_id is not None]
    for_organization = [one for one in rows if one.organization_id is not None]
    return for_sync or for_organization or rows


def _built_in(rule: str) -> list[AlertRule]:
    return [one for one in BUILT_IN if one.rule == rule]


def _limits(rows: list[AlertRule], muting: list[AlertRule]) -> Limits:
    thresholds: dict[str, float] = {}
    minimums = []
    for one in rows:
        if one.severity in SEVERITIES:
            threshold = _threshold(one)
            thresholds[one.severity] = min(threshold, thresholds.get(one.severity, threshold))
            minimum = _built_in(one.rule)[0].minimum if one.minimum is None else one.minimum
            minimums += [] if minimum is None else [minimum]
    muted = [one.muted_until for one in [*rows, *muting] if one.muted_until is not None]
    return Limits(thresholds, min(minimums, default=None), max(muted, default=None))


def _threshold(one: AlertRule) -> float:
    if one.threshold is not None:
        return one.threshold
    built_in = _built_in(one.rule)
    of_severity = [row for row in built_in if row.severity == one.severity]
    threshold = (of_severity or built_in)[0].threshold
    assert threshold is not None  # every built-in rule has one
    return threshold
