"""Alerts of a growing lake, with rules of a user, equal the independent computation."""

import json
from collections.abc import Callable, Iterator
from dataclasses import astuple, fields
from datetime import datetime

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.compared_tables import answers_differing, rules_of
from helpers.random_histories import Remembered
from oracle import ALERT_RULES, AlertRule, alerting_history

SCHEMA = "alert_rules_of_a_user"
# texts, as in a seed
COLUMNS = ", ".join(f"{one.name} string" for one in fields(AlertRule))
FAULTY = (
    AlertRule("no_such_rule", "warning", 1),
    AlertRule("duration", "fatal", 1),
)


@pytest.fixture
def rules() -> Iterator[None]:
    session = SparkSession.builder.getOrCreate()
    session.sql(f"create schema if not exists {SCHEMA}")
    given = [
        [None if value is None else str(value) for value in astuple(rule)]
        for rule in (*ALERT_RULES, *FAULTY)
    ]
    frame = session.createDataFrame(given, COLUMNS)
    frame.write.format("parquet").saveAsTable(f"{SCHEMA}.rules")
    yield
    session.sql(f"drop schema if exists {SCHEMA} cascade")


def at(moment: datetime) -> str:
    given = {"sync_logs_alert_rules_relation": f"{SCHEMA}.rules"}
    return json.dumps({"sync_logs_as_of": moment.isoformat(), **given})


@pytest.mark.usefixtures("rules")
def test_alerts_of_a_growing_lake(warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    remembered = Remembered(built.lake)
    for step in alerting_history().steps:
        remembered.step(step)
        assert built.dbt("run", variables=at(step.as_of)), built.failures()
        tables = built.tables(["sync_alerts", "sync_health", "error_patterns", "sync_statistics"])
        expected = remembered.answers(step.as_of, rules_of(built), ALERT_RULES)
        answers = {name: expected[name] for name in tables}
        assert answers_differing(answers, tables) == {}
    assert {row["rule"] for row in tables["sync_alerts"]} == {
        *(rule.rule for rule in ALERT_RULES),
        *("late", "incomplete_log"),
    }
    assert all(row["message"] for row in tables["sync_alerts"])
    found = {row["rule"]: row["fault"] for row in faulty(built)}
    assert found == {
        "no_such_rule": "there is no such rule",
        "duration": "the severity is none of warning, critical, off",
    }


def faulty(built: Warehouse) -> list[dict[str, str]]:
    """The rules that the last load has left out."""
    rows = SparkSession.builder.getOrCreate().sql(
        f"""
        select rule, fault from {built.schema}_state.int_alert_rules__used
        where
            fault is not null
            and load_id = (select load_id from {built.schema}_state.sync_load_current)
        """
    )
    return [row.asDict() for row in rows.collect()]
