"""The usual way to ask gives a wrong answer, ours the right one; macros for questions, too.

Each trap is a query in the usual way, one on our tables, and the answer by hand (trap_lake.py).
"""

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from trap_lake import write_trap_lake
from traps import TRAPS, Trap


@pytest.fixture(scope="module")
def built(module_warehouse: Callable[[str], Warehouse]) -> Warehouse:
    """The trap lake, built once."""
    warehouse = module_warehouse("traps")
    write_trap_lake(warehouse.lake)
    assert warehouse.dbt("run"), warehouse.failures()
    return warehouse


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name.replace(" ", "_"))
def test_trap(built: Warehouse, trap: Trap) -> None:
    assert answers(built, trap.our_way) == sorted(trap.answer, key=str)
    assert answers(built, trap.usual_way) != sorted(trap.answer, key=str)


def test_members_at_any_time(built: Warehouse) -> None:
    expected = {
        "2025-03-01": [],
        # who enters at a time is in, who leaves at it is out
        "2025-03-01T00:05:00Z": ["ann", "bob"],
        "2025-03-01T01:05:00Z": ["ann"],
        "2025-03-01T02:04:59.999999+01:00": ["ann", "bob"],
        "2026-01-01 00:00:00": ["ann"],
    }
    calls = [f"members_at('{at}', sync_id='people', organization_id='o')" for at in expected]
    queries = built.compiled(*calls, "members_at('2025-03-01T00:30:00', sync_id='people')")
    found = [names(answers(built, f"select row_id from ({query})")) for query in queries]
    assert found == [*expected.values(), ["ann", "bob", "zoe"]]


def test_failed_records_are_excluded(built: Warehouse) -> None:
    expected = {
        "sync_id='dirty'": [None, "hal", "new"],
        "sync_id='dirty', organization_id='p'": [None, "hal", "ivy", "new"],
        "sync_id='dirty', pattern='^n'": [None, "hal", "new"],
        "sync_id='dirty', pattern='^o'": [None, "hal", "ivy", "new"],
    }
    conditions = built.compiled(
        *(f"exclude_failed_records('model.id', {arguments})" for arguments in expected)
    )
    model = "select id from values ('ivy'), ('hal'), ('new'), (null) as model (id) where "
    found = [names(answers(built, model + condition)) for condition in conditions]
    assert found == list(expected.values())


def test_fields_between_two_runs(built: Warehouse) -> None:
    expected = {
        ("1", "4"): [("a", None, "x", "1", "4"), ("b", "1", "2", "1", "4")],
        # run 3 was aborted: what was last sent is the payload of run 2
        ("3", "4"): [("b", "1", "2", "2", "4")],
        ("4", "1"): [("a", "x", None, "4", "1"), ("b", "2", "1", "4", "1")],
        ("2", "3"): [],
        ("2", "99"): [],
    }
    queries = built.compiled(
        *(f"field_changes_between('{a}', '{b}', sync_id='fields')" for a, b in expected)
    )
    columns = "field_name, previous_value, new_value, previous_sync_run_id, sync_run_id"
    found = [answers(built, f"select {columns} from ({query})") for query in queries]
    assert found == list(expected.values())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("members_at('yesterday')", "members_at: at is yesterday; give ISO 8601"),
        ("members_at('2025-03-01', sync_id=7)", "members_at: sync_id is 7; give it as a text"),
        ("field_changes_between(1, '2')", "field_changes_between: run_a is 1; give it as a text"),
        ("exclude_failed_records('id', none)", "exclude_failed_records: sync_id is None; give it"),
    ],
)
def test_arguments_that_mean_nothing(built: Warehouse, call: str, message: str) -> None:
    assert not built.dbt("compile", "--inline", "{{ sync_logs." + call + " }}")
    assert message in "\n".join(built.said)


def answers(built: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query, in a fixed order."""
    session = SparkSession.builder.getOrCreate()
    session.sql(f"use {built.schema}")
    return sorted((tuple(row) for row in session.sql(query).collect()), key=str)


def names(rows: list[tuple[Any, ...]]) -> list[Any]:
    """The only column of rows, in a fixed order."""
    return sorted((name for (name,) in rows), key=str)
