"""Growing tables of Hightouch, built after each step, compared with the independent computation."""

import json
from collections.abc import Callable

from conftest import Warehouse
from helpers.compared_answers import answers_differing, rules_of
from helpers.hightouch_tables import put
from helpers.retained_warehouse import differing_tables
from oracle import COLUMNS
from oracle.hightouch_history import (
    HightouchHistory,
    expected_answers,
    expected_tables,
    without_row_hashes,
)
from oracle.random_hightouch import SHAPES, random_hightouch
from oracle.rows import Row

# no history has more steps
STEPS = 5
# each shape of a source once
HISTORIES = tuple(random_hightouch(seed) for seed in range(len(SHAPES)))
# the fact tables come from lakes only
TABLES = {name: columns for name, columns in COLUMNS.items() if "sync_id" in columns}


def test_every_build_of_growing_tables_matches_the_specification(
    warehouse: Callable[..., Warehouse],
) -> None:
    built = warehouse("growing_tables")
    assert built.dbt("show", "--inline", "select 1"), built.failures()
    for index in range(STEPS):
        for history in HISTORIES:
            write(history, index)
        as_of = max(history.step(index).as_of for history in HISTORIES)
        assert built.dbt("run", variables=variables(as_of.isoformat())), built.failures()
        found = {table: rows_of(built, table) for table in TABLES}
        expected = {
            table: without_row_hashes(rows)
            for table, rows in expected_tables(HISTORIES, index, as_of=as_of).items()
        }
        assert differing_tables(expected, found, TABLES) == {}, f"step {index}"
        answers = expected_answers(HISTORIES, index, as_of=as_of, rules=rules_of(built))
        assert answers_differing(answers, built.tables(answers)) == {}, f"step {index}"


def rows_of(built: Warehouse, table: str) -> list[Row]:
    """Rows of a documented table, without what only Spark computes."""
    rows = built.rows(table)
    if table == "sync_changelog":
        return rows
    return without_row_hashes(rows)


def write(history: HightouchHistory, index: int) -> None:
    """Write the tables of a source as they are in a step; what a step lacks is dropped."""
    tables = history.step(index).tables
    for name in ("sync_changelog", "sync_runs"):
        table = tables.get(name)
        put(f"{history.source_name}.{name}", *((table.columns, table.rows) if table else ({}, ())))


def variables(as_of: str) -> str:
    """The dbt vars of a project with all sources."""
    sources = []
    for history in HISTORIES:
        source = {"name": history.source_name, "type": "hightouch", "schema": history.source_name}
        if history.organization_setting is not None:
            source["organization_id"] = history.organization_setting
        sources.append(source)
    return json.dumps({"sync_logs_sources": sources, "sync_logs_as_of": as_of})
