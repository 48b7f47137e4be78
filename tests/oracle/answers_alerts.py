"""Alerts and the health of each sync (docs/answers.md, Alerts)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import md5

from .alert_courses import Course, Moment, courses_of, late_courses
from .alert_rules import SEVERITIES, AlertRules, Limits, limits_of
from .alert_values import VALUES, pattern_values, values_of
from .alerts_measured import MeasuredRun, Pattern, likely, measured_runs
from .answers_errors import failures_by_pattern, sample_of
from .answers_facts import SyncFacts
from .rows import Row
from .values import latest

LATE = "late"
NEW_ERROR_PATTERN = "new_error_pattern"
# With fewer runs before, a pattern is not new.
FEWEST_RUNS_BEFORE = 5


@dataclass(frozen=True)
class Alert:
    """A rule that applied, and for `new_error_pattern` the pattern."""

    rule: str
    course: Course
    pattern: Pattern = None


def sync_alerts(
    all_facts: Sequence[SyncFacts], as_of: datetime, alert_rules: AlertRules = ()
) -> list[Row]:
    """Shape the rows of `sync_alerts` of a build at `as_of`, without their messages."""
    return [
        _row(facts, alert, _limits_of(alert.rule, facts, alert_rules), as_of)
        for facts in _shown(all_facts)
        for alert in _alerts_of(facts, all_facts, as_of, alert_rules)
    ]


def sync_health(
    all_facts: Sequence[SyncFacts], as_of: datetime, alert_rules: AlertRules = ()
) -> list[Row]:
    """Shape the rows of `sync_health` of a build at `as_of`, without the messages of the alerts."""
    alerts = sync_alerts(all_facts, as_of, alert_rules)
    rows = []
    for facts in _shown(all_facts):
        open_alerts = [
            one
            for one in alerts
            if all(one[column] == facts.key[column] for column in ("organization_id", "sync_id"))
            and one["is_open"]
            and not one["is_muted"]
        ]
        severities = [str(one["severity"]) for one in open_alerts]
        is_silent = any(one["rule"] == LATE for one in open_alerts)
        worst = max(severities, key=SEVERITIES.index, default="ok")
        rows.append(
            {
                **facts.key,
                "health": "silent" if is_silent else worst,
                "open_alert_count": len(open_alerts),
                "open_critical_count": severities.count("critical"),
                "data_until_at": facts.data_until_at,
            }
        )
    return rows


def alerts_over(runs: Sequence[MeasuredRun], limits_by_rule: dict[str, Limits]) -> list[Alert]:
    """Find the alerts of the rules that look at one run after another."""
    moments = [Moment(run.sync_run_id, run.at) for run in runs]
    alerts = [
        Alert(rule, course)
        for rule in VALUES
        for course in courses_of(moments, values_of(rule, runs), limits_by_rule[rule])
    ]
    for pattern, first in _first_runs(runs).items():
        if first >= FEWEST_RUNS_BEFORE:
            values = pattern_values(pattern, runs)
            limits = limits_by_rule[NEW_ERROR_PATTERN]
            courses = courses_of(moments, values, limits, opens_only_in=first)
            alerts += [Alert(NEW_ERROR_PATTERN, course, pattern) for course in courses]
    return alerts


def _shown(all_facts: Sequence[SyncFacts]) -> list[SyncFacts]:
    return [facts for facts in all_facts if facts.kept.keep_runs]


def _alerts_of(
    facts: SyncFacts, all_facts: Sequence[SyncFacts], as_of: datetime, alert_rules: AlertRules
) -> list[Alert]:
    limits = {rule: _limits_of(rule, facts, alert_rules) for rule in (*VALUES, NEW_ERROR_PATTERN)}
    until = latest(
        likely(time, as_of)
        for one in all_facts
        if one.sync.organization_id == facts.sync.organization_id
        for time in one.times
    )
    starts = [Moment(run.sync_run_id, likely(run.order_at, as_of)) for run in facts.sync.runs]
    late = late_courses(starts, until, _limits_of(LATE, facts, alert_rules))
    alerts = alerts_over(measured_runs(facts, as_of), limits)
    return [*alerts, *(Alert(LATE, one) for one in late)]


def _limits_of(rule: str, facts: SyncFacts, alert_rules: AlertRules) -> Limits:
    return limits_of(rule, facts.sync.organization_id, facts.sync.sync_id, alert_rules)


def _first_runs(runs: Sequence[MeasuredRun]) -> dict[Pattern, int]:
    first: dict[Pattern, int] = {}
    for index, run in enumerate(runs):
        for pattern in run.failed:
            first.setdefault(pattern, index)
    return first


def _row(facts: SyncFacts, alert: Alert, limits: Limits, as_of: datetime) -> Row:
    course = alert.course
    muted_until, data_until_at = limits.muted_until, facts.data_until_at
    return {
        **facts.key,
        "alert_id": _alert_id(facts, alert),
        "rule": alert.rule,
        "severity": course.severity,
        "worst_severity": course.worst_severity,
        "is_open": course.resolved is None,
        **_moment_columns("opened", course.opened),
        **_moment_columns("worsened", course.worsened),
        **_moment_columns("resolved", course.resolved),
        "value": course.value,
        "value_sync_run_id": course.measured.sync_run_id,
        "threshold": float(course.threshold),
        "failure_pattern": alert.pattern,
        "sample": _sample(facts, alert),
        "is_muted": muted_until is not None and (data_until_at or as_of) < muted_until,
        "data_until_at": data_until_at,
    }


def _sample(facts: SyncFacts, alert: Alert) -> list[str] | None:
    """Return the sample of the pattern in `error_patterns`, if the sync has rows there."""
    if alert.rule != NEW_ERROR_PATTERN or not facts.kept.keep_changelog:
        return None
    return sample_of(failures_by_pattern(facts)[alert.pattern])


def _moment_columns(event: str, moment: Moment | None) -> Row:
    return {
        f"{event}_at": moment.at if moment else None,
        f"{event}_sync_run_id": moment.sync_run_id if moment else None,
    }


def _alert_id(facts: SyncFacts, alert: Alert) -> str:
    sync, opened = facts.sync, alert.course.opened
    parts = [sync.organization_id, sync.sync_id, alert.rule, opened.sync_run_id]
    if alert.pattern is not None:
        parts.append(alert.pattern)
    return md5("/".join(parts).encode()).hexdigest()
