"""Questions asked of Spark on rows that are made by hand.

Spark's own parser reads the SQL, and no build is needed. `hand_made_rows.py` has what is expected.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from sync_logs_viewer.questions import Record, RecordFilters, Run, Sync, catalog
from sync_logs_viewer.questions.pages import Position
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
        "is_too_late boolean, run_position int, started_at timestamp, finished_at timestamp, "
        "first_batch_started_at timestamp",
        made.RUNS,
    ),
    "log_coverage": (
        f"{KEY}, sync_run_id string, issue string, reported_planned_count bigint, "
        "logged_planned_count bigint",
        [],
    ),
    "sync_records": (
        f"{KEY}, sync_run_id string, identifier string, display_status string, "
        "failure_reason string, status_message string, operation string, record_payload string, "
        "batch_started_at timestamp, batch_ended_at timestamp, record_status string, "
        "logged_status string, batch_type string, batch_number decimal(38, 0), file_name string, "
        "row_index bigint, record_id string",
        made.LOG,
    ),
    "sync_alerts": (
        f"{KEY}, alert_id string, rule string, severity string, worst_severity string, "
        "is_open boolean, is_muted boolean, opened_at timestamp, opened_sync_run_id string, "
        "worsened_at timestamp, worsened_sync_run_id string, resolved_at timestamp, "
        "resolved_sync_run_id string, value double, value_sync_run_id string, threshold double, "
        "failure_pattern string, sample string, message string, data_until_at timestamp, "
        "source_name string, vendor string",
        made.ALERTS,
    ),
    "errors_by_sync": (
        f"{KEY}, failure_reason string, failure_pattern string, category string, "
        "is_transient boolean, sample_identifiers string",
        [],
    ),
    "errors_by_category": (
        f"{KEY}, category string, is_transient boolean, hint string, record_count bigint, "
        "open_record_count bigint, attempt_count bigint, first_seen_at timestamp, "
        "last_seen_at timestamp",
        made.CATEGORIES,
    ),
    "record_failures": (
        f"{KEY}, row_id string, failure_pattern string, started_at timestamp, "
        "last_failed_at timestamp, ended_at timestamp, is_open boolean",
        made.FAILURES,
    ),
    "error_patterns": (
        f"{KEY}, failure_pattern string, category string, sample_identifiers string, "
        "first_seen_at timestamp, last_seen_at timestamp, open_record_count bigint, hint string",
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


def test_the_rows_of_a_record_are_the_latest_first(warehouse: SessionWarehouse) -> None:
    rows = asked(warehouse, catalog.history_of_record(Record("o", "ann", False), 99, None))
    assert [(row["sync_run_id"], row["batch_number"]) for row in rows] == made.ANN_LAST_FIRST


def test_runs_are_listed_the_last_one_first(warehouse: SessionWarehouse) -> None:
    rows = asked(warehouse, catalog.runs(SYNC, None, 99))
    assert [row["sync_run_id"] for row in rows] == made.RUNS_LAST_FIRST
    paged: list[str] = []
    after = None
    while rows := asked(warehouse, catalog.runs(SYNC, after, 7)):
        paged += [row["sync_run_id"] for row in rows]
        after = (rows[-1]["run_position"] or 0, paged[-1])
    assert paged == made.RUNS_LAST_FIRST


@pytest.mark.parametrize(
    ("run", "neighbours"),
    [("10", ("9", "11")), ("8", (None, "9")), ("44", ("42", None)), ("43", (None, None))],
)
def test_the_neighbours_of_a_run(
    warehouse: SessionWarehouse, run: str, neighbours: tuple[str | None, str | None]
) -> None:
    (row,) = asked(warehouse, catalog.run(Run("o", "s", run)))
    assert (row["previous_sync_run_id"], row["next_sync_run_id"]) == neighbours


def test_alerts_begin_with_the_worst(warehouse: SessionWarehouse) -> None:
    def found(is_open_only: bool, since: int | None) -> list[str]:
        query = catalog.alerts("o", "s", is_open_only, since, 99)
        return [row["alert_id"] for row in asked(warehouse, query)]

    since = int(made.at(5).timestamp()) * 1_000_000
    assert found(True, None) == made.OPEN_ALERTS
    assert found(False, since) == [*made.OPEN_ALERTS, "ended last"]
    ended = ["ended last", "ended first", "ended at a time that is not known"]
    assert found(False, None) == [*made.OPEN_ALERTS, *ended]


def test_records_are_in_the_order_of_their_batches(warehouse: SessionWarehouse) -> None:
    def numbers(after: Position | None) -> list[int]:
        query = catalog.records(Run("o", "s", "40"), RecordFilters(), after, 99, False, None)
        return [row["batch_number"] for row in asked(warehouse, query)]

    assert numbers(None) == [2, 9, 10]
    assert numbers(Position(9, "b.9.parquet", 0)) == [10]


def test_the_most_common_errors_of_a_run_come_first(warehouse: SessionWarehouse) -> None:
    rows = asked(warehouse, catalog.errors_of_run(Run("o", "s", "11"), 9, 9))
    assert [(row["failure_reason"], row["row_count"]) for row in rows] == [
        ("common", 2),
        ("a rare one", 1),
    ]


def test_a_trend_has_the_last_days_of_each_sync(warehouse: SessionWarehouse) -> None:
    rows = asked(warehouse, catalog.trends(2))
    found = [(row["organization_id"], row["sync_id"], row["activity_date"].day) for row in rows]
    assert found == [("o", "s", 13), ("o", "s", 14), ("o", "t", 14), ("p", "s", 14)]


def test_a_category_counts_all_syncs(warehouse: SessionWarehouse) -> None:
    (row,) = asked(warehouse, catalog.error_categories("o", None, 9))
    names = ("record_count", "open_record_count", "attempt_count", "sync_count")
    assert [row[name] for name in names] == [6, 3, 9, 2]
