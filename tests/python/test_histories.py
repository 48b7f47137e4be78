"""Builds in steps, in any order of arrival, against the independent computation of the tables."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from built_answers import answers_differing, rules_of
from conftest import Warehouse
from histories import ManyHistories, Remembered, many_histories
from oracle import ANSWER_COLUMNS, COLUMNS, write_all
from oracle.random_words import DAY_ONE
from retained import differing_tables

SEEDS = range(100, 116)
ALL = (*COLUMNS, *ANSWER_COLUMNS)
AS_OF = tuple(DAY_ONE + timedelta(minutes=minutes) for minutes in (100, 200, 300, 400, 500))


@pytest.fixture
def histories() -> ManyHistories:
    return many_histories(SEEDS, AS_OF)


def test_every_build_of_a_growing_lake_holds_what_the_specification_says(
    warehouse: Callable[[str], Warehouse], histories: ManyHistories, tmp_path: Path
) -> None:
    stepwise = warehouse("stepwise")
    remembered = Remembered(stepwise.lake)
    for step in histories.steps:
        remembered.step(step)
        assert stepwise.dbt("run", variables=at(step.as_of)), stepwise.failures()
        expected = remembered.tables(step.as_of)
        built = stepwise.tables(ALL)
        answers = remembered.answers(step.as_of, rules_of(stepwise))
        assert differing_tables(expected, {table: built[table] for table in COLUMNS}, COLUMNS) == {}
        assert answers_differing(answers, built) == {}
    assert "compact" in {row["operation"] for row in stepwise.rows("sync_loads")}
    last = AS_OF[-1]
    in_steps = contents(built)

    assert stepwise.dbt("run", "--full-refresh", variables=at(last)), stepwise.failures()
    # it keeps what the lake no longer has
    assert unlike(contents(stepwise.tables(ALL)), in_steps) == {}

    at_once = replace(warehouse("at_once"), lake=tmp_path / "whole_lake")
    for history in histories.histories:
        write_all(at_once.lake, history)
    assert at_once.builds(at(last)), at_once.failures()
    assert unlike(contents(at_once.tables(ALL)), in_steps) == {}
    assert at_once.dbt("test", "--select", "tag:full_scan"), at_once.failures()


def at(moment: datetime) -> str:
    """The dbt vars that fix the time of a build; it compacts as soon as there are a few loads."""
    return json.dumps({"sync_logs_as_of": moment.isoformat(), "sync_logs_max_live_loads": 3})


Contents = dict[str, Counter[tuple[tuple[str, Any], ...]]]


def unlike(some: Contents, others: Contents) -> dict[str, list[Any]]:
    """The tables that are not the same, each with a few rows of one side alone."""
    apart = {name: (rows - others[name]) + (others[name] - rows) for name, rows in some.items()}
    return {name: list(rows)[:4] for name, rows in apart.items() if rows}


def contents(tables: dict[str, list[dict[str, Any]]]) -> Contents:
    """Tables, whatever the order of their rows and the time of their load."""
    return {
        table: Counter(
            tuple(sorted((key, value) for key, value in row.items() if key != "_census_logged_at"))
            for row in rows
        )
        for table, rows in tables.items()
    }
