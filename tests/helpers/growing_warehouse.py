"""A warehouse with a growing lake, built after each step, and the unordered rows of its tables."""

import json
import os
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from conftest import Warehouse
from helpers.compared_gaps import gaps_differing
from helpers.compared_tables import answers_differing, differing_tables, rules_of
from helpers.random_histories import ManyHistories, Remembered
from oracle import ANSWER_COLUMNS, COLUMNS
from oracle.random_words import DAY_ONE

ALL = (*COLUMNS, *ANSWER_COLUMNS)
# At this step a build stops before its commit, like a build that is killed there.
INTERRUPTED_STEP = 3
Contents = dict[str, Counter[tuple[tuple[str, Any], ...]]]


def times(count: int) -> tuple[datetime, ...]:
    """The build times of some histories, 100 minutes apart."""
    return tuple(DAY_ONE + timedelta(minutes=100 * number) for number in range(1, count + 1))


def build_in_steps(stepwise: Warehouse, histories: ManyHistories) -> Contents:
    """Build after each step, assert that all tables are right, and return their final contents."""
    remembered = Remembered(stepwise.lake)
    built: dict[str, list[dict[str, Any]]] = {}
    for number, step in enumerate(histories.steps, start=1):
        remembered.step(step)
        if number == INTERRUPTED_STEP:
            left = build_without_commit(stepwise, at(step.as_of))
        assert stepwise.dbt("run", variables=at(step.as_of)), stepwise.failures()
        built = stepwise.tables(ALL)
        assert unlike_the_specification(stepwise, remembered, step.as_of, built) == {}
    assert gaps_differing(stepwise, remembered.facts(histories.steps[-1].as_of), seed=1) == {}
    assert left & loads_on_disk(stepwise) == set()
    assert "compact" in {row["operation"] for row in stepwise.rows("sync_loads")}
    return contents(built)


def unlike_the_specification(
    built: Warehouse,
    remembered: Remembered,
    as_of: datetime,
    tables: Mapping[str, list[dict[str, Any]]] | None = None,
) -> dict[str, list[str]]:
    """The tables that differ from the independent computation, with some of their rows."""
    tables = tables or built.tables(ALL)
    expected = remembered.tables(as_of)
    answers = remembered.answers(as_of, rules_of(built))
    differing = differing_tables(expected, {name: tables[name] for name in COLUMNS}, COLUMNS)
    return differing | answers_differing(answers, tables)


def build_without_commit(built: Warehouse, variables: str) -> set[str]:
    """Build everything except the commit; return the loads that this leaves on disk."""
    known = loads_on_disk(built)
    assert built.dbt("run", "--exclude", "sync_load_current+", variables=variables)
    left = loads_on_disk(built) - known
    assert len(left) == 1
    return left


def loads_on_disk(built: Warehouse) -> set[str]:
    """The loads that have a folder in any state table."""
    warehouse = Path(os.environ["SYNC_LOGS_HOME"]) / "warehouse"
    return {folder.name for folder in warehouse.glob(f"{built.schema}_state.db/*/load_id=*")}


def at(moment: datetime) -> str:
    """The dbt vars that fix the time of a build and make it compact after a few loads."""
    return json.dumps({"sync_logs_as_of": moment.isoformat(), "sync_logs_max_live_loads": 3})


def unlike(some: Contents, others: Contents) -> dict[str, list[Any]]:
    """The tables that differ, each with a few rows that only one side has."""
    apart = {name: (rows - others[name]) + (others[name] - rows) for name, rows in some.items()}
    return {name: list(rows)[:4] for name, rows in apart.items() if rows}


def contents(tables: dict[str, list[dict[str, Any]]]) -> Contents:
    """The tables, regardless of the order of their rows and the time of their load."""
    return {
        table: Counter(
            tuple(sorted((key, value) for key, value in row.items() if key != "_census_logged_at"))
            for row in rows
        )
        for table, rows in tables.items()
    }
