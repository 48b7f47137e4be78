"""Questions about two periods and about examples, asked of Spark on rows that are made by hand.

Spark's own parser reads the SQL, and no build is needed. `hand_made_rows.py` has what is expected.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from sync_logs_viewer.questions import Run, Sync, catalog
from sync_logs_viewer.warehouse import SessionWarehouse
from viewer import hand_made_rows as made

KEY = "organization_id string, sync_id string"
TABLES = {
    "sync_activity_daily": (
        f"{KEY}, activity_date date, {', '.join(f'{one} bigint' for one in made.COUNTS)}",
        made.DAYS,
    ),
    "sync_runs": (
        f"{KEY}, sync_run_id string, order_at timestamp, is_log_complete boolean, "
        "is_too_late boolean, run_position int",
        made.RUNS,
    ),
    "record_failures": (
        f"{KEY}, row_id string, failure_pattern string, started_at timestamp, "
        "last_failed_at timestamp, ended_at timestamp, is_open boolean",
        made.FAILURES,
    ),
    "error_patterns": (
        f"{KEY}, failure_pattern string, category string, sample_identifiers string, "
        "first_seen_at timestamp, last_seen_at timestamp, open_record_count bigint",
        made.PATTERNS,
    ),
    "payload_schema_changes": (
        f"{KEY}, sync_run_id string, field_name string, run_at timestamp, change_type string, "
        "json_types string, previous_sync_run_id string, previous_count bigint, "
        "previous_payload_count bigint, new_count bigint, payload_count bigint",
        made.FIELD_CHANGES,
    ),
    "sync_changelog": (
        f"{KEY}, sync_run_id string, op_type string, row_id string, fields string",
        made.CHANGELOG,
    ),
}
SYNC = Sync("o", "s")


@pytest.fixture(scope="module")
def warehouse(module_warehouse: Warehouse) -> Iterator[SessionWarehouse]:
    module_warehouse.start_spark()
    session = SparkSession.builder.getOrCreate().newSession()
    for name, (schema, rows) in TABLES.items():
        session.createDataFrame(rows, schema).createOrReplaceTempView(name)
    yield SessionWarehouse(lambda: session, "default", "this process")
    for name in TABLES:
        session.catalog.dropTempView(name)


def asked(warehouse: SessionWarehouse, query: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = warehouse.ask(query).to_pylist()
    return rows


def test_two_weeks_have_the_sums_of_their_days(warehouse: SessionWarehouse) -> None:
    assert asked(warehouse, catalog.periods(SYNC, made.LATER, made.EARLIER)) == made.PERIODS


def test_a_period_without_a_day_has_no_counts(warehouse: SessionWarehouse) -> None:
    for query in (
        catalog.periods(Sync("o", "u"), made.LATER, made.EARLIER),
        catalog.periods(Sync("q", "s"), made.LATER, made.EARLIER),
    ):
        for row in asked(warehouse, query):
            assert (row["day_count"], row["incomplete_sync_run_ids"]) == (0, "[]")
            assert {row[one] for one in made.COUNTS} == {None}


def test_patterns_of_two_weeks_are_compared_by_record(warehouse: SessionWarehouse) -> None:
    query = catalog.patterns_of_periods(SYNC, made.LATER, made.EARLIER, 99)
    rows = asked(warehouse, query)
    names = ("failure_pattern", "change_type", "before_record_count", "record_count")
    assert [tuple(row[name] for name in names) for row in rows] == made.COMPARED
    known = {one["failure_pattern"]: one for one in made.PATTERNS if one["sync_id"] == "s"}
    for row in rows:
        of_pattern = known[row["failure_pattern"]]
        for name in ("category", "sample_identifiers", "open_record_count"):
            assert row[name] == of_pattern[name]
    cut = catalog.patterns_of_periods(SYNC, made.LATER, made.EARLIER, 2)
    assert asked(warehouse, cut) == rows[:2]


def test_fields_that_changed_are_in_the_week_that_counts_their_run(
    warehouse: SessionWarehouse,
) -> None:
    rows = asked(warehouse, catalog.changes_of_periods(SYNC, made.LATER, made.EARLIER, 99))
    names = ("period", "sync_run_id", "field_name")
    assert [tuple(row[name] for name in names) for row in rows] == made.CHANGES_OF_PERIODS
    assert (rows[-1]["change_type"], rows[-1]["json_types"]) == ("appeared", '["string"]')
    cut = catalog.changes_of_periods(SYNC, made.LATER, made.EARLIER, 2)
    assert asked(warehouse, cut) == rows[:2]


def test_examples_are_values_of_one_run(warehouse: SessionWarehouse) -> None:
    rows = asked(warehouse, catalog.payload_examples(Run("o", "s", "7"), 200))
    assert [(row["field_name"], row["row_id"], row["example"]) for row in rows] == made.EXAMPLES
    whole = asked(warehouse, catalog.payload_examples(Run("o", "s", "7"), None))
    assert max(len(row["example"]) for row in whole) == 300
    assert asked(warehouse, catalog.payload_examples(Run("o", "s", "8"), 200)) == []
