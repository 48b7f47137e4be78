"""Growing tables of Hightouch, built after each step and compared with the computation."""

import json
from collections.abc import Callable, Sequence

from pyspark import SparkContext

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
from oracle.rows import Row

# the fact tables come from lakes only
TABLES = {name: columns for name, columns in COLUMNS.items() if "sync_id" in columns}


def build_in_steps(
    built: Warehouse,
    histories: Sequence[HightouchHistory],
    step_count: int,
    put: Callable[..., None] = put,
    catalog: str = "",
) -> None:
    """Build after each step of all sources together, and assert that all tables are right.

    `put` writes a table of a source; the name of its catalog ends with a dot.
    """
    if SparkContext._active_spark_context is None:
        # dbt starts the session, with its settings
        built.start_spark()
    for index in range(step_count):
        for history in histories:
            write(history, index, put)
        as_of = max(history.step(index).as_of for history in histories)
        given = variables(histories, as_of.isoformat(), catalog)
        assert built.dbt("run", variables=given), built.failures()
        found = {table: rows_of(built, table) for table in TABLES}
        tables = expected_tables(histories, index, as_of=as_of)
        expected = {table: without_row_hashes(rows) for table, rows in tables.items()}
        assert differing_tables(expected, found, TABLES) == {}, f"step {index}"
        answers = expected_answers(histories, index, as_of=as_of, rules=rules_of(built))
        assert answers_differing(answers, built.tables(answers)) == {}, f"step {index}"


def rows_of(built: Warehouse, table: str) -> list[Row]:
    """Rows of a documented table, without what only Spark computes."""
    return without_row_hashes(built.rows(table))


def write(history: HightouchHistory, index: int, put: Callable[..., None]) -> None:
    """Write the tables of a source as they are in a step; what a step lacks is dropped."""
    tables = history.step(index).tables
    for name in ("sync_changelog", "sync_runs"):
        table = tables.get(name)
        put(f"{history.source_name}.{name}", *((table.columns, table.rows) if table else ({}, ())))


def variables(histories: Sequence[HightouchHistory], as_of: str, catalog: str) -> str:
    """The dbt vars of a project with all sources."""
    sources = []
    for history in histories:
        source = {"name": history.source_name, "type": "hightouch"}
        source["schema"] = f"{catalog}{history.source_name}"
        if history.organization_setting is not None:
            source["organization_id"] = history.organization_setting
        sources.append(source)
    return json.dumps({"sync_logs_sources": sources, "sync_logs_as_of": as_of})
