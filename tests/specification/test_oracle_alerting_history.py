"""The history in which every rule of alerts applies: expected values worked out by hand."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from oracle import (
    ALERT_RULES,
    Lake,
    alerting_history,
    apply_step,
    compute_answers,
    merge,
    read_lake,
    write_all,
)
from oracle.alert_rules import BUILT_IN
from oracle.history import read_runs
from specification.small_alerts import COURSE
from specification.small_lake_answers import Tables, picked

MOST_ROWS = 30
RULES = {one.rule for one in BUILT_IN}
# Their values are 0 or 1, so they open with their worst severity.
WITHOUT_WORSENING = {"run_failed", "incomplete_log"}
BOTH = ("critical", "critical")
WARNING = ("warning", "warning")


@pytest.fixture
def answers(tmp_path: Path) -> Tables:
    history = alerting_history()
    write_all(tmp_path, history)
    return compute_answers(read_lake(tmp_path), history.as_of, alert_rules=ALERT_RULES)


def courses_of(answers: Tables, sync: str) -> list[tuple[Any, ...]]:
    its_alerts = [one for one in answers["sync_alerts"] if one["sync_id"] == sync]
    return sorted(picked(its_alerts, f"rule {COURSE}"), key=str)


def test_every_rule_applies(answers: Tables) -> None:
    found = answers["sync_alerts"]
    assert {one["rule"] for one in found} == RULES
    assert {one["rule"] for one in found if not one["is_open"]} == RULES
    worsened = {one["rule"] for one in found if one["worsened_at"]}
    assert worsened == RULES - WITHOUT_WORSENING
    late = [one for one in found if one["rule"] == "late" and not one["is_open"]]
    weekdays = {one["opened_sync_run_id"] for one in late if one["worsened_at"]}
    # a Monday and a Friday
    assert weekdays == {"135", "139"}


def test_alerts(answers: Tables) -> None:
    assert courses_of(answers, "daily") == [
        ("duration", "125", "126", "127", *BOTH),
        ("full_resync", "119", "120", "121", *BOTH),
        ("incomplete_log", "129", None, "130", *WARNING),
        ("invalid_rate", "113", "114", "115", *BOTH),
        ("late", "135", "135", "138", *BOTH),
        ("late", "139", "139", "142", *BOTH),
        ("late", "143", "143", None, *BOTH),
        ("mass_removal", "122", "123", "124", *BOTH),
        ("new_error_pattern", "110", "111", "112", *BOTH),
        ("new_error_pattern", "113", None, "115", *WARNING),
        ("old_failures", "131", "134", "135", *BOTH),
        ("record_count", "116", "117", "118", *BOTH),
        ("rejection_rate", "110", "111", "112", *BOTH),
        ("run_failed", "128", None, "129", *BOTH),
    ]
    assert courses_of(answers, "weekdays") == [
        ("late", "w14", None, "w16", *WARNING),
        ("late", "w17", None, "w21", *WARNING),
        ("late", "w39", None, "w44", *WARNING),
        ("new_error_pattern", "w21", None, "w23", *WARNING),
        ("new_error_pattern", "w25", None, "w28", *WARNING),
        ("new_error_pattern", "w30", "w31", "w32", *BOTH),
        ("old_failures", "w37", "w38", None, *BOTH),
        ("run_failed", "w53", None, None, *WARNING),
    ]
    assert courses_of(answers, "mirror") == [
        ("mass_removal", "44", None, "46", *WARNING),
        ("mass_removal", "50", None, None, *WARNING),
    ]
    assert courses_of(answers, "rare") == [
        ("mass_removal", "r3", None, "r4", *WARNING),
        ("old_failures", "r11", None, "r33", *WARNING),
        ("rejection_rate", "r12", "r13", "r32", *BOTH),
        ("rejection_rate", "r4", None, "r5", *WARNING),
    ]
    # the run without payloads leaves it open
    assert courses_of(answers, "shaped") == [("payload_schema", "s6", "s7", "s9", *BOTH)]
    # one of three members leaves, and two late starts do, which do not count
    rare = [one for one in answers["sync_alerts"] if one["sync_id"] == "rare"]
    assert picked([one for one in rare if one["rule"] == "mass_removal"], "value") == [(1 / 3,)]
    # not of the last settled run, which is below the minimum
    mirror = [one for one in answers["sync_alerts"] if one["sync_id"] == "mirror"]
    assert picked(mirror, "resolved_sync_run_id value") == [("46", 0.5), (None, 0.5)]
    patterns = {one["failure_pattern"] for one in answers["sync_alerts"]}
    assert patterns >= {None, "", "bad value", "order <number> refused"}
    # of the first five runs
    assert not patterns & {"too wide", "too long"}
    muted = [one for one in answers["sync_alerts"] if one["is_muted"]]
    assert sorted(picked(muted, "sync_id rule opened_sync_run_id")) == [
        *[("rare", "rejection_rate", "r12"), ("rare", "rejection_rate", "r4")],
        ("weekdays", "run_failed", "w53"),
    ]


def test_health(answers: Tables) -> None:
    health = picked(answers["sync_health"], "sync_id health open_alert_count open_critical_count")
    assert health == [
        *[("daily", "silent", 1, 1), ("mirror", "warning", 1, 0), ("rare", "ok", 0, 0)],
        ("shaped", "ok", 0, 0),
        ("weekdays", "critical", 1, 1),
    ]


# Steps end in the same lake. Runs are small, and only the last one is not settled.
def test_its_runs(tmp_path: Path) -> None:
    history = alerting_history()
    write_all(tmp_path / "a", history)
    lake, remembered = read_lake(tmp_path / "a"), Lake()
    for step in history.steps:
        apply_step(tmp_path / "b", step)
        remembered = merge(remembered, read_lake(tmp_path / "b"))
    assert remembered == lake
    runs = read_runs(lake)
    assert Counter(run.sync_id for run in runs) == {
        **{"daily": 40, "weekdays": 36, "mirror": 14, "rare": 10, "shaped": 9}
    }
    assert max(len(run.attempts) for run in runs) <= MOST_ROWS
    statistics = compute_answers(lake, history.as_of)["sync_statistics"]
    assert picked(statistics, "sync_id unsettled_run_count") == [
        *[("daily", 0), ("mirror", 1), ("rare", 0), ("shaped", 0), ("weekdays", 0)]
    ]
