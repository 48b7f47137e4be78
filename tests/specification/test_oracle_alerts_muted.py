"""Alerts that are muted (docs/answers.md): expected values worked out by hand."""

from datetime import datetime
from typing import Any

import pytest

from oracle import AlertRule
from oracle.alert_rules import BUILT_IN, limits_of
from oracle.building import at
from specification.small_alerts import alerts, run_of
from specification.small_lake_answers import answers, picked

HEALTH = "health open_alert_count open_critical_count"
RATE = "rejection_rate"


# Muted until a time that the data has not reached.
def test_muted() -> None:
    for minute, is_muted in ((1, False), (2, True)):
        rules = (
            AlertRule("rejection_rate", "warning", muted_until=at(minute)),
            AlertRule("rejection_rate", "critical", muted_until=at(0)),
        )
        found = answers(run_of(1, 1, 19), alert_rules=rules)
        assert picked(found["sync_alerts"], "severity is_muted") == [("critical", is_muted)]
        health = ("ok", 0, 0) if is_muted else ("critical", 1, 1)
        assert picked(found["sync_health"], HEALTH) == [health]


def muting(severity: str = "warning", **scope: Any) -> AlertRule:
    """A row that only mutes."""
    return AlertRule(RATE, severity, muted_until=at(100), **scope)


SYNC: dict[str, Any] = {"organization_id": "o", "sync_id": "s"}
# Scopes that apply to the sync, and some that do not.
APPLYING: list[dict[str, Any]] = [{}, {"organization_id": "o"}, {"sync_id": "s"}, SYNC]
OTHERS: list[dict[str, Any]] = [
    *({"organization_id": "p"}, {"sync_id": "t"}, SYNC | {"sync_id": "t"}),
    SYNC | {"organization_id": "p"},
]


# Both built-in severities are left: it opens as a warning, worsens, and gets better.
@pytest.mark.parametrize("severity", ["warning", "critical"])
@pytest.mark.parametrize("scope", APPLYING)
def test_a_row_that_only_mutes(scope: dict[str, Any], severity: str) -> None:
    files = (run_of(1, 20), run_of(2, 10, 10), run_of(3, 2, 18), run_of(4, 10, 10))
    for count, expected in ((2, ("warning", "warning")), (3, ("critical", "critical"))):
        found = answers(*files[:count], alert_rules=(muting(severity=severity, **scope),))
        columns = "severity worst_severity is_muted"
        assert picked(found["sync_alerts"], columns) == [(*expected, True)]
        assert picked(found["sync_health"], HEALTH) == [("ok", 0, 0)]
    found = answers(*files, alert_rules=(muting(severity=severity, **scope),))
    assert picked(found["sync_alerts"], "severity worst_severity threshold is_muted") == [
        ("warning", "critical", 0.05, True)
    ]


# Neither a row of another scope, rule or severity mutes. The built-in rows are left.
def test_rows_that_do_not_mute() -> None:
    for rule in (
        *(muting(**scope) for scope in OTHERS),
        *(muting(severity="odd"), AlertRule("run_failed", "warning", muted_until=at(100))),
    ):
        found = alerts(run_of(1, 10, 10), alert_rules=(rule,))
        assert picked(found, "severity threshold is_muted") == [("warning", 0.05, False)]


# Other rows decide the thresholds, whatever their scope is, and that of the row that mutes.
@pytest.mark.parametrize("muted", APPLYING)
@pytest.mark.parametrize("decided", APPLYING)
def test_rows_that_decide(muted: dict[str, Any], decided: dict[str, Any]) -> None:
    critical = AlertRule(RATE, "critical", 0.4, **decided)
    found = alerts(run_of(1, 10, 10), alert_rules=(muting(**muted), critical))
    assert picked(found, "severity threshold is_muted") == [("critical", 0.4, True)]
    off = AlertRule(RATE, "off", **decided)
    assert alerts(run_of(1, 10, 10), alert_rules=(muting(**muted), off)) == []


# A row with a threshold or a minimum decides, and so does a row that is off.
def test_rows_that_decide_and_mute() -> None:
    until = at(100)
    built_in = ("warning", 0.05)
    whole = AlertRule(RATE, "warning", 0.2)
    for rule, expected in (
        (AlertRule(RATE, "critical", 0.3, muted_until=until, **SYNC), [("critical", 0.3, True)]),
        (AlertRule(RATE, "critical", None, 10, muted_until=until, **SYNC), []),
        (
            AlertRule(RATE, "warning", None, 10, muted_until=until, **SYNC),
            [(*built_in, True)],
        ),
        (AlertRule(RATE, "off", muted_until=until, **SYNC), []),
        # without a time it does not only mute
        (AlertRule(RATE, "warning", **SYNC), [(*built_in, False)]),
        # of the same scope as the other one
        (AlertRule(RATE, "critical", 0.3, muted_until=until), [("critical", 0.3, True)]),
    ):
        found = alerts(run_of(1, 10, 10), alert_rules=(whole, rule))
        assert picked(found, "severity threshold is_muted") == expected
    # not of the most specific scope, so its time does not count
    found = alerts(
        run_of(1, 10, 10),
        alert_rules=(
            AlertRule(RATE, "critical", 0.3, muted_until=until),
            AlertRule(RATE, "warning", 0.2, **SYNC),
        ),
    )
    assert picked(found, "severity threshold is_muted") == [("warning", 0.2, False)]


# The latest time of the rows that decide or only mute.
@pytest.mark.parametrize(
    ("times", "latest"),
    [((5, 9, 7), 9), ((9, 5, 7), 9), ((5, 7, 9), 9), ((None, 5, None), 5), ((5, None, None), 5)],
)
def test_the_latest_time(times: tuple[int | None, ...], latest: int) -> None:
    decided, whole, own = (None if one is None else at(one) for one in times)
    rules = [AlertRule(RATE, "critical", 0.4, organization_id="o", muted_until=decided)]
    rules += [AlertRule(RATE, "warning", muted_until=whole)] if whole else []
    rules += [AlertRule(RATE, "warning", muted_until=own, **SYNC)] if own else []
    found = limits_of(RATE, "o", "s", rules)
    assert (found.muted_until, found.thresholds) == (at(latest), {"critical": 0.4})


# Of every rule, what is built in is left.
@pytest.mark.parametrize("rule", sorted({one.rule for one in BUILT_IN}))
def test_what_is_built_in(rule: str) -> None:
    until: datetime = at(9)
    for scope in APPLYING:
        found = limits_of(rule, "o", "s", [AlertRule(rule, "critical", muted_until=until, **scope)])
        built_in = limits_of(rule, "o", "s")
        assert (found.thresholds, found.minimum) == (built_in.thresholds, built_in.minimum)
        assert found.muted_until == until
