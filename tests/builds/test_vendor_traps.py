"""The usual query gives a wrong answer, and ours gives the right one. Also: macros for questions.

Each trap has the usual query, a query on our tables, and the answer by hand (trap_questions.py).
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from builds.gap_questions import (
    ARGUMENTS,
    COUNTS,
    LEFT_OUT,
    MODEL,
    MODEL_GAPS,
    OTHER_SYNCS,
    RETOLD,
    SENT_MODEL,
)
from builds.trap_lake import write_late_part, write_trap_lake
from builds.trap_questions import TRAPS, Trap
from conftest import Warehouse


@pytest.fixture(scope="module")
def built(module_warehouse: Warehouse) -> Warehouse:
    """The trap lake, built once, and again after its late part has arrived."""
    write_trap_lake(module_warehouse.lake)
    assert module_warehouse.dbt("run"), module_warehouse.failures()
    write_late_part(module_warehouse.lake)
    settings = json.dumps({"sync_logs_settings_relation": settings_of_user()})
    assert module_warehouse.dbt("run", variables=settings), module_warehouse.failures()
    return module_warehouse


def settings_of_user() -> str:
    """A settings relation that does not keep the runs of one sync, nor all of two others."""
    session = SparkSession.builder.getOrCreate()
    session.sql("create schema if not exists traps_of_user")
    session.sql("""create or replace view traps_of_user.settings as select
        'o' as organization_id, 'runless' as sync_id, true as is_active, true as keep_changelog,
        true as keep_snapshot, false as keep_runs, cast(null as double) as retention_days
        union all select 'q', 'busy', true, false, true, true, null
        union all select 'q', 'calm', true, true, false, true, null""")
    return "traps_of_user.settings"


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name.replace(" ", "_"))
def test_trap(built: Warehouse, trap: Trap) -> None:
    assert answers(built, trap.our_way) == sorted(trap.answer, key=str)
    assert answers(built, trap.usual_way) != sorted(trap.answer, key=str)


def test_trap_31_times_without_a_zone_are_read_as_local_time(built: Warehouse) -> None:
    file = built.lake / "sync_tracking_datasets" / "o" / "late" / "1" / "b.1.parquet"
    (text_as_utc,) = built.compiled("utc_timestamp(\"'2025-03-01T00:05:00'\")")
    asked = {
        "a file, usual": ("cast(batch_ended_at as timestamp)", f"parquet.`{file}`"),
        "a file, ours": ("batch_ended_at", f"{built.schema}_lake.batches where identifier = 'dan'"),
        "a text, usual": ("cast('2025-03-01T00:05:00' as timestamp)", "range(1)"),
        "a text, ours": (text_as_utc, "range(1)"),
    }
    seconds = "timestampdiff(second, timestamp '2025-03-01T00:00:00Z', {})"
    queries = [f"select {seconds.format(time)} from {rows}" for time, rows in asked.values()]
    with five_hours_behind_utc():
        found = [answers(built, query) for query in queries]
    local, right = [(5 * 3600 + 5 * 60,)], [(5 * 60,)]
    assert dict(zip(asked, found, strict=True)) == {
        "a file, usual": local,
        "a file, ours": right,
        "a text, usual": local,
        "a text, ours": right,
    }


def test_trap_33_columns_with_one_name_cannot_be_stored_together(built: Warehouse) -> None:
    joined = """sync_log as log
        left join destinations on log.organization_id = destinations.organization_id
        and log.destination_id = destinations.id
        left join source_objects on log.organization_id = source_objects.organization_id
        and log.source_object_id = source_objects.id
        where log.sync_id in ('named', 'quiet')"""
    columns = "record_identifier, destinations.name as destination, source_objects.name as source"
    view = f"create or replace view {built.schema}.rows_with_names as select"
    with pytest.raises(AnalysisException, match="COLUMN_ALREADY_EXISTS"):
        answers(built, f"{view} * from {joined}")
    answers(built, f"{view} {columns} from {joined}")
    # the id columns exist even if the metadata has no ids, as for one sync here
    expected = [("ned", None, None), ("wes", "Ads", "Ads"), ("xan", None, None)]
    assert answers(built, "select * from rows_with_names") == expected


def test_members_at_any_time(built: Warehouse) -> None:
    expected = {
        "2025-03-01": [],
        # a record that enters at this time is in, and one that leaves at it is out
        "2025-03-01T00:05:00Z": ["ann", "bob"],
        "2025-03-01T01:05:00Z": ["ann"],
        "2025-03-01T02:04:59.999999+01:00": ["ann", "bob"],
        "2026-01-01 00:00:00": ["ann"],
    }
    calls = [f"members_at('{at}', sync_id='people', organization_id='o')" for at in expected]
    queries = built.compiled(
        *calls,
        "members_at('2025-03-01T00:30:00', sync_id='people')",
        # dan was in before the log began, until it was deleted
        "members_at('2025-02-28', sync_id='late')",
        "members_at('2025-03-01T00:05:00Z', sync_id='late')",
    )
    found = [names(answers(built, f"select row_id from ({query})")) for query in queries]
    assert found == [*expected.values(), ["ann", "bob", "zoe"], ["dan"], []]


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


def test_failed_records_are_let_in_again(built: Warehouse) -> None:
    # ben failed first before this time, and last after it
    since = datetime.now(timezone.utc) - datetime(2025, 3, 1, 1, 35, tzinfo=timezone.utc)
    expected = {
        "permanent_only=false": ["new"],
        "permanent_only=true": ["amy", "new"],
        "min_failed_runs=2": ["amy", "new"],
        "min_failed_runs=3": ["amy", "ben", "new"],
        "retry_after_days=0.5": ["amy", "ben", "new"],
        "retry_after_days=100000": ["new"],
        f"retry_after_days={since.total_seconds() / 86400:.6f}": ["amy", "new"],
        # the field of a payload has the name of the column
        "release_when_changed=['email', 'model.age']": ["ben", "new"],
        "release_when_changed=['model.`email`']": ["ben", "new"],
        "release_when_changed=['model.age']": ["new"],
        "release_when_changed=['email'], permanent_only=true": ["amy", "ben", "new"],
    }
    conditions = built.compiled(
        *(f"exclude_failed_records('id', sync_id='busy', {arguments})" for arguments in expected)
    )
    model = """select id from values ('amy', 'one@x', 5), ('ben', 'two@x', 5), ('new', 'one@x', 5)
        as model (id, email, age) where """
    found = [names(answers(built, model + condition)) for condition in conditions]
    assert found == list(expected.values())


def test_only_a_failure_that_is_open_keeps_a_record_out(built: Warehouse) -> None:
    expected = {
        "sync_id='calm', organization_id='q'": ["e4", "ida", "new"],
        "sync_id='calm', organization_id='q', permanent_only=true": ["cal", "e4", "ida", "new"],
        "sync_id='calm', organization_id='q', min_failed_runs=2": ["cal", "e4", "ida", "new"],
        # it was aborted after it had been refused
        "sync_id='retold'": ["cal", "e4", "new"],
        # an event, which has no row in record_failures
        "sync_id='events'": ["cal", "ida", "new"],
        "sync_id='events', permanent_only=true": ["cal", "e4", "ida", "new"],
        "sync_id='events', min_failed_runs=1": ["cal", "ida", "new"],
        "sync_id='events', retry_after_days=0.5": ["cal", "e4", "ida", "new"],
    }
    conditions = built.compiled(
        *(f"exclude_failed_records('id', {arguments})" for arguments in expected)
    )
    model = "select id from values ('cal'), ('ida'), ('e4'), ('new') as model (id) where "
    found = [names(answers(built, model + condition)) for condition in conditions]
    assert found == list(expected.values())


def test_fields_between_two_runs(built: Warehouse) -> None:
    expected = {
        ("1", "4"): [("a", None, "x", "1", "4"), ("b", "1", "2", "1", "4")],
        # run 3 was aborted, so the last payload that was sent is that of run 2
        ("3", "4"): [("b", "1", "2", "2", "4")],
        ("4", "1"): [("a", "x", None, "4", "1"), ("b", "2", "1", "4", "1")],
        ("2", "3"): [],
        ("2", "99"): [],
    }
    calls = [f"field_changes_between('{a}', '{b}', sync_id='fields')" for a, b in expected]
    queries = built.compiled(*calls, "field_changes_between('1', '4', sync_id='shared')")
    columns = "field_name, previous_value, new_value, previous_sync_run_id, sync_run_id"
    found = [answers(built, f"select {columns} from ({query})") for query in queries]
    shared = [("a", f"{one}1", f"{one}4", "1", "4") for one in ("o", "p")]
    assert found == [*expected.values(), shared]


def test_gaps_between_a_model_and_what_was_delivered(built: Warehouse) -> None:
    models = [f'"{MODEL}"', f'"{MODEL}", sent_model="{SENT_MODEL}"']
    calls = [f"delivery_gaps({model}, {ARGUMENTS})" for model in models]
    counting = f"delivery_gap_counts({models[0]}, {ARGUMENTS})"
    *queries, counts = built.compiled(*calls, counting)
    columns = "row_id, gap, reason, cast(since_at as string), failure_reason, differing_columns"
    found = [answers(built, f"select {columns} from ({query})") for query in queries]
    left_out = [LEFT_OUT.get(row[0], row) for row in MODEL_GAPS]
    assert found == [sorted(rows, key=str) for rows in (MODEL_GAPS, left_out)]
    columns = "gap, reason, record_count, sample_identifiers, cast(since_at as string)"
    assert answers(built, f"select {columns} from ({counts})") == sorted(COUNTS, key=str)


def test_gaps_say_what_the_last_outcome_does_not(built: Warehouse) -> None:
    model = "(select 'ida' as id)"
    (query,) = built.compiled(f'delivery_gaps("{model}", key="id", sync_id="retold")')
    columns = "row_id, gap, reason, cast(since_at as string), failure_reason"
    assert answers(built, f"select {columns} from ({query})") == RETOLD


@pytest.mark.parametrize(("sync", "keys", "expected"), OTHER_SYNCS)
def test_gaps_of_other_kinds_of_syncs(
    built: Warehouse, sync: str, keys: list[str], expected: list[tuple[str, str, str]]
) -> None:
    model = f"(select explode(array({str(keys)[1:-1]})) as id)"
    (query,) = built.compiled(f'delivery_gaps("{model}", key="id", sync_id="{sync}")')
    assert answers(built, f"select row_id, gap, reason from ({query})") == expected


@contextmanager
def five_hours_behind_utc() -> Iterator[None]:
    """Set the session to another time zone; every dbt command sets it back."""
    session = SparkSession.builder.getOrCreate()
    session.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        yield
    finally:
        session.conf.set("spark.sql.session.timeZone", "UTC")


def answers(built: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query, in a fixed order."""
    session = SparkSession.builder.getOrCreate()
    session.sql(f"use {built.schema}")
    return sorted((tuple(row) for row in session.sql(query).collect()), key=str)


def names(rows: list[tuple[Any, ...]]) -> list[Any]:
    """The only column of rows, in a fixed order."""
    return sorted((name for (name,) in rows), key=str)
