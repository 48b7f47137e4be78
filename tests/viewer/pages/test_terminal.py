"""The terminal and the report have the same answers, and so has each way to ask a question."""

import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers import viewer_lake as lake
from sync_logs_viewer import asking, commands
from sync_logs_viewer.answers import rows_among
from sync_logs_viewer.masks import hashed
from sync_logs_viewer.periods import Period
from sync_logs_viewer.questions import Query, Record, RecordFilters, Run, Sync, catalog
from sync_logs_viewer.questions.pages import Order, Position
from sync_logs_viewer.warehouse import SessionWarehouse
from sync_logs_viewer.web.routes import failures
from sync_logs_viewer.web.routes import sync as sync_page
from viewer.pages.conftest import expected_rows, found_rows


def typed(warehouse: SessionWarehouse, *command: str) -> int:
    """The exit code of a command, on the warehouse of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking, "warehouse_of", lambda given, may_start: warehouse)
        return commands.main(command)


def test_the_terminal_shows_the_same(
    warehouse: SessionWarehouse, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    run = ("--organization-id", "o", "--sync-id", "s", "--sync-run-id", "1")
    assert typed(warehouse, "records", *run, "--status", "rejected", "--format", "csv") == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert found_rows(csv.DictReader(lines)) == expected_rows(lake.FIRST_RUN, status="Rejected")
    file = tmp_path / "rows.parquet"
    told = ("--format", "parquet", "--out", str(file), "--rows", "1000")
    assert typed(warehouse, "records", *run, *told) == 0
    assert found_rows(pq.read_table(file).to_pylist()) == expected_rows(lake.FIRST_RUN)
    assert typed(warehouse, "records", *run) == 0
    table = capsysbinary.readouterr().out.decode()
    # a terminal would interpret it
    assert "\u202e" not in table
    assert "<U+202E>abc" in table
    assert typed(warehouse, "records", "--sync-id", "s") == 1
    assert capsysbinary.readouterr().err.decode() == (
        "sync-logs: 2 organisations have a sync 's' (o, p): add --organization-id.\n"
    )
    for command in (
        ("syncs",),
        ("errors",),
        ("errors", "--failure-pattern", "email <email> is not known"),
        ("errors", "--organization-id", "o", "--sync-id", "s"),
        ("failures",),
        ("builds",),
        ("runs", *run[:4]),
        ("members", *run[:4]),
    ):
        assert typed(warehouse, *command) == 0, command
        assert b"No rows." not in capsysbinary.readouterr().out
    record = ("record", "--organization-id", "o", "--identifier", "007", "--format", "jsonl")
    assert typed(warehouse, *record) == 0
    rows = map(json.loads, capsysbinary.readouterr().out.decode().splitlines())
    assert {row["sync_run_id"] for row in rows} == {"1", "2", "3"}


def test_the_report_is_self_contained(warehouse: SessionWarehouse, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert typed(warehouse, "report", "--out", str(file)) == 0
    text = file.read_text("utf-8")
    assert "default-src 'none'; style-src 'sha256-" in text
    for mark in ("<script", "<img", "<link", " src=", "@import", "url(http"):
        assert mark not in text
    assert "Customers &lt;/script&gt;" in text
    assert text.count("<svg") == 8, "outcomes of five syncs, and the audiences of three"
    assert len(text) < 1_000_000
    assert "email &lt;email&gt; is not known" in text
    assert "email worse@x" not in text


def test_literals_give_the_same_rows_as_bound_values(
    warehouse: SessionWarehouse, built: Warehouse
) -> None:
    """A question is asked with literals; it gives the same rows with Spark's parameters."""

    def read(session: Any, query: Query) -> Any:
        return session.sql(query.sql, args=dict(query.arguments)).toArrow()

    bound = SessionWarehouse(
        lambda: SparkSession.builder.getOrCreate().newSession(), built.schema, "this process", read
    )
    sync, run = Sync("o", "s"), Run("o", "s", "1")
    record = Record("o", "o'brien\\", False)
    hostile = RecordFilters("Success", "upsert", "", "o'brien\\", "o'")
    at = 1772350000000000
    weeks = (
        Period(date(2026, 2, 26), date(2026, 3, 4)),
        Period(date(2026, 1, 1), date(2026, 2, 1)),
    )
    questions = [
        catalog.records(run, RecordFilters(identifier=hashed("bad")), None, 10, True, None),
        catalog.records(run, hostile, Position(0, "a", 0), 10, False, 100),
        *(
            catalog.trends(),
            catalog.runs(sync, (3, "1"), 5),
            catalog.record_counts(run, hostile, False),
        ),
        *(catalog.history_of_record(record, 5, 9), catalog.audience_size(sync, at)),
        *(catalog.members(sync, at, "1", 5, True), catalog.errors("o", None, 9, "")),
        *(catalog.alerts("o", "s", True, at, 9), catalog.alerts(None, None, False, None, 9)),
        *(catalog.error_patterns("o", None, "", 9, "s"), catalog.health(sync)),
        catalog.error_patterns(None, None, None, 9, None, Order(None, "first_seen", 2)),
        catalog.pattern_counts("o", "", "s"),
        *(catalog.errors(None, None, 9, None, "s"), catalog.error_categories(None, None, 9, "s")),
        *(catalog.organizations_of_record("o'brien\\", False, 9),),
        *(catalog.organizations_of_record(hashed("bad"), True, 9),),
        *(catalog.patterns_of_runs(run, "2", 9), catalog.failures(None, None, 9)),
        *(catalog.errors_of_run(run, 9, 99), catalog.data_until()),
        *(catalog.payload_fields(sync, 9), catalog.payload_changes(sync, 9)),
        *(catalog.payload_examples(run, 9), catalog.periods(sync, *weeks)),
        catalog.patterns_of_periods(sync, *weeks, 9),
        catalog.changes_of_periods(sync, *weeks, 9),
        catalog.gaps(f"{built.schema}.gap_counts", "o", None, 9),
    ]
    SparkSession.builder.getOrCreate().sql(
        f"""create or replace view {built.schema}.gap_counts as select 'o' as organization_id,
        's' as sync_id, 'missing' as gap, 'failing' as reason, 2L as record_count,
        '[]' as sample_identifiers, cast(null as timestamp) as since_at,
        timestamp '2026-01-01' as data_until_at"""
    )
    for question in questions:
        assert warehouse.ask(question).to_pylist() == bound.ask(question).to_pylist(), question
    assert len(warehouse.ask(questions[0]).to_pylist()) == 1
    assert len(warehouse.ask(questions[-1]).to_pylist()) == 1


def test_the_rows_of_a_sync_are_among_those_of_all_syncs(warehouse: SessionWarehouse) -> None:
    rows = warehouse.ask(catalog.syncs()).to_pylist()
    assert len(rows) > 2
    found = 0
    for organization_id, sync_id in ((one["organization_id"], one["sync_id"]) for one in rows):
        run = catalog.run(Run(organization_id, sync_id, "1"))
        sync = Sync(organization_id, sync_id)
        of_sync = (*sync_page.questions(sync), *sync_page.payload_questions(sync))
        for query in (*of_sync, failures.question(organization_id, sync_id), run):
            assert query.part_of, query
            whole = warehouse.ask(query.part_of.whole)
            part = rows_among(whole, query)
            own = warehouse.ask(query).to_pylist()
            found += len(own)
            # without its row, the run must be asked for
            assert (part.to_pylist() if part is not None else []) == own, query
    assert found > 20


def test_a_limit_is_one_of_each_sync(warehouse: SessionWarehouse) -> None:
    for query in (catalog.runs(Sync("o", "s"), None, 1), catalog.failures("o", "s", 1)):
        assert query.part_of
        rows = warehouse.ask(query.part_of.whole).to_pylist()
        assert len(rows) == len({(row["organization_id"], row["sync_id"]) for row in rows}) > 1
