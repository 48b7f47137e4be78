"""Alerts and patterns of a growing lake equal the independent computation, with rules of a user."""

import json
from collections.abc import Callable, Iterator
from dataclasses import astuple, fields, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.compared_tables import answers_differing, rules_of
from helpers.random_histories import Remembered
from oracle import ALERT_RULES, AlertRule, alerting_history
from oracle.building import batch, row
from oracle.pattern_examples import examples
from oracle.writing import parquet, write_file

SCHEMA = "alert_rules_of_a_user"
# all five take minutes; in the first of these, most alerts are open
BUILT_STEPS = (2, 5)
NAMES = ("sync_alerts", "sync_health", "error_patterns", "error_clusters", "sync_statistics")
# texts, as in a seed
COLUMNS = ", ".join(f"{one.name} string" for one in fields(AlertRule))
FAULTY = (
    AlertRule("no_such_rule", "warning", 1),
    AlertRule("duration", "fatal", 1),
)
# an empty cell, which a seed on embedded Spark has as a text
EMPTY = (None, "None", "", " ")


@pytest.fixture
def rules(warehouse: Callable[[], Warehouse]) -> Iterator[None]:
    warehouse().start_spark()
    session = SparkSession.builder.getOrCreate()
    session.sql(f"create schema if not exists {SCHEMA}")
    give(*ALERT_RULES, *FAULTY)
    yield
    session.sql(f"drop schema if exists {SCHEMA} cascade")


def give(*rules: AlertRule) -> None:
    """Put rules into the relation of the user, as people type them."""
    session = SparkSession.builder.getOrCreate()
    given = [
        [
            EMPTY[place % len(EMPTY)] if value is None else f" {value} "
            for place, value in enumerate(astuple(rule), start=number)
        ]
        for number, rule in enumerate(replace(one, severity=one.severity.title()) for one in rules)
    ]
    frame = session.createDataFrame(given, COLUMNS)
    frame.write.mode("overwrite").format("parquet").saveAsTable(f"{SCHEMA}.rules")


def at(moment: datetime) -> str:
    given = {"sync_logs_alert_rules_relation": f"{SCHEMA}.rules"}
    return json.dumps({"sync_logs_as_of": moment.isoformat(), **given})


@pytest.mark.usefixtures("rules")
def test_alerts_of_a_growing_lake(warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    remembered = Remembered(built.lake)
    write_messages(built.lake)
    for number, step in enumerate(alerting_history().steps, start=1):
        remembered.step(step)
        if number not in BUILT_STEPS:
            continue
        assert built.dbt("run", variables=at(step.as_of)), built.failures()
        tables = built.tables(NAMES)
        expected = remembered.answers(step.as_of, rules_of(built), ALERT_RULES)
        assert answers_differing({name: expected[name] for name in NAMES}, tables) == {}
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

    # nothing is new in the lake, but the current rules apply
    muting = AlertRule("late", "warning", muted_until=step.as_of + timedelta(days=900))
    give(*ALERT_RULES[1:], muting)
    assert built.dbt("run", variables=at(step.as_of)), built.failures()
    changed = built.tables(NAMES)
    expected = remembered.answers(step.as_of, rules_of(built), (*ALERT_RULES[1:], muting))
    assert answers_differing({name: expected[name] for name in NAMES}, changed) == {}
    assert changed["sync_alerts"] != tables["sync_alerts"]


def write_messages(lake: Path) -> None:
    """The examples of failure patterns in the documents, each as a rejected row of a run."""
    for number, one in enumerate(examples()):
        rejected = row(
            one.identifier, "upsert", "rejected", message=one.reason, payload=one.payload, ended=5
        )
        write_file(lake, parquet(batch(str(number), rejected, organization="messages")))


def faulty(built: Warehouse) -> list[dict[str, str]]:
    """The rules that are left out."""
    rows = SparkSession.builder.getOrCreate().sql(
        f"""
        select rule, fault from {built.schema}_state.int_alert_rules__used
        where fault is not null
        """
    )
    return [row.asDict() for row in rows.collect()]
