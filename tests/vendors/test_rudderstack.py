"""The table of RudderStack as a source, expected by hand, and a vendor of somebody else's."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.project import FILES, PARTS, PROJECT, copy_project
from helpers.source_tables import put, with_sources
from vendors.rudderstack_tables import SYNC_LOG

SCHEMA = "rudder_logs"
ADAPTERS = Path("models", "intermediate", "sources")
FIRST_END, SECOND_END = datetime(2026, 1, 1, 2), datetime(2026, 1, 2, 2)
SECOND_START = datetime(2026, 1, 2, 1)


def row(day: int, operation: str, key: str, reason: str | None = None) -> dict[str, object]:
    """A row of the run of a day, which took an hour."""
    return {
        **{"connection_id": "c", "sync_run_id": f"run{day}", "primary_key": key},
        **{"operation": operation, "status": "failed" if reason else "succeeded"},
        **{"error_reason": reason, "sync_started_at": datetime(2026, 1, day, 1)},
        "sync_finished_at": datetime(2026, 1, day, 2),
    }


# a row came twice, and a record with two operations
FIRST = [
    row(1, "insert", "a"),
    row(1, "insert", "b", "no e-mail"),
    row(1, "update", "c"),
    row(1, "delete", "d"),
    row(1, "delete", "d"),
    row(1, "insert", "e"),
    row(1, "update", "e"),
]
SECOND = [row(2, "delete", "a"), row(2, "insert", "b")]
# the keys that failed in the second run; of some, RudderStack says that they were not sent
KEY_TYPES = {"email": "string", "rudder_operation": "string", "rudder_invalid": "boolean"}
FAILED_KEYS = [
    {"email": email, "rudder_operation": "insert", "rudder_invalid": is_invalid}
    for email, is_invalid in (("f", True), (None, True), ("g", False), ("b", True))
]
# of docs/sources.md
VIEW = f"""
    select * from {SCHEMA}.sync_logs
    union all
    select
        'c', 'run2', email, rudder_operation, if(email is null, 'NULL', 'DUPLICATE'),
        cast(null as string), cast(null as timestamp), cast(null as timestamp)
    from {SCHEMA}.failed_keys_c_run2
    where rudder_invalid
"""


def variables(type_: str) -> str:
    """The dbt vars of a project whose only source is a table of that type."""
    source = {"name": "rs", "type": type_, "schema": SCHEMA}
    return with_sources(source, sync_logs_as_of="2026-01-02T02:30:00Z")


def build(
    built: Warehouse,
    rows: list[dict[str, object]],
    type_: str = "rudderstack",
    failed_keys: Sequence[Mapping[str, object]] = (),
) -> None:
    """Write the tables, and build from a view of both."""
    if SparkContext._active_spark_context is None:
        # dbt starts the session, with its settings
        built.start_spark()
    put(f"{SCHEMA}.sync_logs", SYNC_LOG, rows)
    put(f"{SCHEMA}.failed_keys_c_run2", KEY_TYPES, failed_keys)
    spark = SparkSession.builder.getOrCreate()
    spark.sql(f"create or replace view {SCHEMA}.sync_log as {VIEW}")
    assert built.dbt("run", variables=variables(type_)), built.failures()


def shown(rows: Iterable[Mapping[str, object]], *columns: str) -> set[tuple[object, ...]]:
    """Some columns of rows."""
    return {tuple(one[column] for column in columns) for one in rows}


def test_the_tables_say_what_rudderstack_logs(warehouse: Callable[..., Warehouse]) -> None:
    built = warehouse("rudderstack")
    # the second run goes on
    build(built, [*FIRST, {**SECOND[0], "sync_finished_at": None}])
    columns = ("sync_run_id", "started_at", "finished_at", "is_settled", "status")
    first = ("run1", datetime(2026, 1, 1, 1), FIRST_END, True, "succeeded")
    assert shown(built.rows("sync_runs"), *columns) == {
        first,
        ("run2", SECOND_START, None, False, None),
    }

    # the first run was cleaned up in part, and the second one has ended
    build(built, [FIRST[0], *SECOND], failed_keys=FAILED_KEYS)
    assert shown(built.rows("sync_runs"), *columns) == {
        first,
        ("run2", SECOND_START, SECOND_END, True, "succeeded"),
    }
    changelog = built.rows("sync_changelog")
    of_row = ("sync_run_id", "op_type", "row_id", "status", "failed_reason", "attempted_at")
    assert shown(changelog, *of_row) == {
        ("run1", "added", "a", "succeeded", None, FIRST_END),
        ("run1", "added", "b", "failed", "no e-mail", FIRST_END),
        ("run1", "added", "c", "succeeded", None, FIRST_END),
        ("run1", "removed", "d", "succeeded", None, FIRST_END),
        ("run1", "added", "e", "succeeded", None, FIRST_END),
        ("run2", "removed", "a", "succeeded", None, SECOND_END),
        ("run2", "added", "b", "succeeded", None, SECOND_END),
        ("run2", "added", "f", "failed", "Invalid record: duplicate identifier", SECOND_END),
        ("run2", "added", None, "failed", "Invalid record: identifier is null", SECOND_END),
    }
    assert shown(changelog, "organization_id", "sync_id", "fields") == {("rs", "c", None)}

    log = built.rows("sync_log")
    assert len(log) == len(FIRST) - 1 + len(SECOND)
    assert shown(log, "record_payload", "batch_started_at", "batch_completed_at") == {
        (None, None, None)
    }
    interval = ("row_id", "entered_at", "exited_at", "entered_sync_run_id", "entry_observed")
    assert shown(built.rows("audience_memberships"), *interval) == {
        ("a", FIRST_END, SECOND_END, "run1", False),
        ("b", SECOND_END, None, "run2", True),
        ("c", FIRST_END, None, "run1", False),
        # it was in before it was removed
        ("d", None, FIRST_END, None, False),
        ("e", FIRST_END, None, "run1", False),
    }
    counts = {one["sync_run_id"]: one for one in built.rows("sync_runs")}["run1"]
    assert (counts["num_planned_add"], counts["num_failed_add"]) == (4, 1)
    # nine outcomes in two runs; three failed, and two of them were not sent
    (sync,) = built.rows("sync_statistics")
    assert (sync["invalid_count"], sync["invalid_rate"]) == (2, pytest.approx(2 / 9))
    assert sync["rejection_rate"] == pytest.approx(1 / 7)


@pytest.fixture
def other_vendor(tmp_path: Path) -> Path:
    """A copy of the project with the models of RudderStack as those of another vendor."""
    folder = tmp_path / "project"
    copy_project(folder)
    given, ours = folder / ADAPTERS / "rudderstack", folder / ADAPTERS / "acme_sync"
    ours.mkdir()
    for file in given.iterdir():
        text = file.read_text().replace("rudderstack", "acme_sync")
        (ours / file.name.replace("rudderstack", "acme_sync")).write_text(text)
        file.unlink()
    given.rmdir()
    return folder


def contents(project: Path) -> dict[Path, bytes]:
    """What dbt reads of a project, by path."""
    files = [one for part in PARTS for one in (project / part).rglob("*")]
    files += [project / name for name in FILES]
    return {
        one.relative_to(project): one.read_bytes()
        for one in files
        if one.is_file() and "__pycache__" not in one.parts
    }


def test_another_vendor_is_a_folder_of_three_models(
    warehouse: Callable[..., Warehouse], other_vendor: Path
) -> None:
    before, there = contents(PROJECT), contents(other_vendor)
    new = {path for path, content in there.items() if before.get(path) != content}
    assert {path.parent for path in new} == {ADAPTERS / "acme_sync"}
    assert {path.stem.removesuffix("__unit_tests") for path in new} == {
        f"int_acme_sync__{name}" for name in ("arrivals", "records", "runs")
    }
    code = [path for path in there if path.suffix in (".sql", ".yml") and path.parts[0] != "tests"]
    assert [path for path in code if b"int_rudderstack" in there[path]] == []

    built = warehouse("other_vendor")
    built.project = other_vendor
    build(built, FIRST, "acme_sync")
    assert shown(built.rows("sync_changelog"), "sync_run_id", "row_id", "status") == {
        ("run1", "a", "succeeded"),
        ("run1", "b", "failed"),
        ("run1", "c", "succeeded"),
        ("run1", "d", "succeeded"),
        ("run1", "e", "succeeded"),
    }
