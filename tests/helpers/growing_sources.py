"""Growing tables of vendors, built after each step and compared with the computation."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from pyspark import SparkContext

from conftest import Warehouse
from helpers.compared_tables import answers_differing, differing_tables, rules_of
from helpers.source_tables import put
from oracle import COLUMNS, differences
from oracle.random_names import names_in
from oracle.rows import Row
from oracle.source_history import (
    SOURCE_TYPES,
    SourceHistory,
    SourceTable,
    expected_answers,
    expected_log_ids,
    expected_tables,
    without_row_hashes,
)

NAMES_RELATION = "names.sync_logs_names"
# What `sync_log` has of the vendor's own row. The time is that of a build if the vendor has none.
LOG_COLUMNS = (
    *("organization_id", "sync_id", "sync_run_id", "log_id", "record_identifier"),
    "_census_logged_at",
)


def build_in_steps(
    built: Warehouse,
    histories: Sequence[SourceHistory],
    step_count: int,
    put: Callable[..., None] = put,
    catalog: str = "",
    names: Sequence[SourceTable] = (),
) -> None:
    """Build after each step of all sources together, and assert that all tables are right.

    `put` writes a table of a source; the name of its catalog ends with a dot. `names` is the user's
    relation of names in each step, if there is one.
    """
    if SparkContext._active_spark_context is None:
        # dbt starts the session, with its settings
        built.start_spark()
    for index in range(step_count):
        for history in histories:
            write(history, index, put)
        relation = names_in(names, index)
        if relation is not None:
            put(NAMES_RELATION, relation.columns, relation.rows)
        names_now = relation.rows if relation is not None else ()
        as_of = max(history.step(index).as_of for history in histories)
        given = variables(histories, as_of.isoformat(), catalog, has_names=bool(names))
        assert built.dbt("run", variables=given), built.failures()
        found = {table: built.rows(table) for table in COLUMNS}
        differing = tables_differing(histories, index, found, as_of=as_of, names=names_now)
        # a process without pytest shows no values
        assert not differing, f"step {index}: {differing}"
        answers = expected_answers(
            histories, index, as_of=as_of, rules=rules_of(built), names=names_now
        )
        assert answers_differing(answers, built.tables(answers)) == {}, f"step {index}"
        assert log_ids_differing(built, histories, index) == [], f"step {index}"


def tables_differing(
    histories: Sequence[SourceHistory],
    index: int,
    found: Mapping[str, Sequence[Row]],
    *,
    as_of: datetime | None = None,
    names: Sequence[Row] = (),
) -> dict[str, list[str]]:
    """How tables differ from the computation after a step, without what only Spark computes."""
    tables = expected_tables(histories, index, as_of=as_of, names=names)
    expected = {table: without_row_hashes(rows) for table, rows in tables.items()}
    hashless = {table: without_row_hashes(rows) for table, rows in found.items()}
    return differing_tables(expected, hashless, COLUMNS)


def log_ids_differing(
    built: Warehouse, histories: Sequence[SourceHistory], index: int
) -> list[str]:
    """How the ids and times of vendors in `sync_log` differ from the expected ones."""
    expected = expected_log_ids(histories, index)
    if not expected:
        return []
    keys = LOG_COLUMNS[:-1]
    of_builds = {row_key(row, keys) for row in expected if row["_census_logged_at"] is None}
    organizations = {row["organization_id"] for row in expected}
    found = [
        row | {"_census_logged_at": None} if row_key(row, keys) in of_builds else row
        for row in built.rows("sync_log")
        if row["organization_id"] in organizations
    ]
    return differences(expected, found, LOG_COLUMNS)


def row_key(row: Row, columns: Sequence[str]) -> tuple[object, ...]:
    """The values of some columns."""
    return tuple(row[column] for column in columns)


def write(history: SourceHistory, index: int, put: Callable[..., None]) -> None:
    """Write the tables of a source as they are in a step; what a step lacks is dropped."""
    tables = history.step(index).tables
    for name in SOURCE_TYPES[history.type].all_tables:
        table = tables.get(name)
        put(f"{history.source_name}.{name}", *((table.columns, table.rows) if table else ({}, ())))


def variables(
    histories: Sequence[SourceHistory], as_of: str, catalog: str, *, has_names: bool = False
) -> str:
    """The dbt vars of a project with all sources."""
    sources = []
    for history in histories:
        source = {"name": history.source_name, "type": history.type}
        source["schema"] = f"{catalog}{history.source_name}"
        if history.organization_setting is not None:
            source["organization_id"] = history.organization_setting
        sources.append(source)
    given: dict[str, object] = {"sync_logs_sources": sources, "sync_logs_as_of": as_of}
    if has_names:
        given["sync_logs_names_relation"] = f"{catalog}{NAMES_RELATION}"
    return json.dumps(given)
