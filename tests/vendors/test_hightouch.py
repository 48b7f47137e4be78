"""Tables of Hightouch as a source: what is expected is written by hand."""

from collections.abc import Callable, Iterable
from datetime import datetime

from conftest import Warehouse
from helpers.hightouch_tables import CHANGELOG, RUNS, variables
from helpers.source_tables import put

SCHEMA = "hightouch_audit"


def row(
    run: int, op_type: str, row_id: str, status: str = "succeeded", **more: object
) -> dict[str, object]:
    """A row of `sync_changelog`."""
    return {
        **{"sync_id": 1, "sync_run_id": run, "op_type": op_type, "row_id": row_id},
        **{"status": status, "fields": f'{{"id": "{row_id}"}}', **more},
    }


def run(number: int, day: int, **more: object) -> dict[str, object]:
    """A row of `sync_runs` of a run that took an hour."""
    return {
        **{"sync_id": 1, "sync_run_id": number, "status": "success", "model_name": "Customers"},
        **{"destination": "braze", "primary_key": "id", "started_at": datetime(2026, 1, day, 1)},
        **{"finished_at": datetime(2026, 1, day, 2), **more},
    }


# run 9 comes before run 10, as numbers and by time
FIRST = [
    row(9, "added", "a"),
    row(9, "added", "b", "failed", failure_reason="no e-mail"),
    row(9, "removed", "d"),
]
SECOND = [
    row(10, "changed", "c"),
    row(10, "removed", "a"),
    row(10, "added", "b"),
    row(10, "added", "e", "aborted"),
]


def shown(rows: Iterable[dict[str, object]], *columns: str) -> set[tuple[object, ...]]:
    """Some columns of rows."""
    return {tuple(one[column] for column in columns) for one in rows}


def build(
    built: Warehouse, changelog: list[dict[str, object]], runs: list[dict[str, object]] | None
) -> None:
    """Write the tables, and build."""
    put(f"{SCHEMA}.sync_changelog", CHANGELOG, changelog)
    if runs is not None:
        put(f"{SCHEMA}.sync_runs", RUNS, runs)
    assert built.dbt("run", variables=variables(SCHEMA)), built.failures()


def test_the_tables_say_what_hightouch_reports(warehouse: Callable[..., Warehouse]) -> None:
    built = warehouse("hightouch")
    built.start_spark()
    first_end = datetime(2026, 1, 1, 1, 30)
    listed_twice = [run(9, 1, finished_at=first_end), run(9, 1, num_planned_add=7)]
    build(built, [*FIRST, *SECOND], [*listed_twice, run(10, 2, finished_at=None)])

    changelog = built.rows("sync_changelog")
    columns = ("sync_run_id", "op_type", "row_id", "status", "failed_reason", "attempted_at")
    one, two = datetime(2026, 1, 1, 2), datetime(2026, 1, 2, 1)
    assert shown(changelog, *columns) == {
        ("9", "added", "a", "succeeded", None, one),
        ("9", "added", "b", "failed", "no e-mail", one),
        ("9", "removed", "d", "succeeded", None, one),
        ("10", "changed", "c", "succeeded", None, two),
        ("10", "removed", "a", "succeeded", None, two),
        ("10", "added", "b", "succeeded", None, two),
        ("10", "added", "e", "aborted", None, two),
    }
    assert {one["organization_id"] for one in changelog} == {"acme"}

    runs = {one["sync_run_id"]: one for one in built.rows("sync_runs")}
    # as Hightouch counts, and as logged where it does not say
    assert runs["9"]["num_planned_add"] == 7
    assert runs["9"]["num_attempted_add"] == 2
    assert runs["9"]["num_failed_add"] == 1
    assert runs["10"]["num_planned_add"] == 2
    assert runs["10"]["num_attempted_add"] == 1
    assert runs["10"]["finished_at"] is None
    assert runs["9"]["model_name"] == "Customers"

    interval = ("row_id", "entered_at", "exited_at", "entered_sync_run_id", "entry_observed")
    # d was in before it was removed, c before it was changed
    assert shown(built.rows("audience_memberships"), *interval) == {
        ("a", one, two, "9", False),
        ("d", None, one, None, False),
        ("c", None, None, None, False),
        ("b", two, None, "10", True),
    }
    log = shown(built.rows("sync_log"), "record_identifier", "operation", "status")
    assert ("a", "added", "succeeded") in log
    assert ("b", "added", "rejected") in log
    assert "e" not in {one[0] for one in log}

    # after a purge, the runs are counted without the record
    purged = {"organization_id": "acme", "identifier": "b"}
    given = variables(SCHEMA)
    assert built.operation("purge_record", given, **purged), built.failures()
    assert built.dbt("run", variables=given), built.failures()
    runs = {one["sync_run_id"]: one for one in built.rows("sync_runs")}
    counts = [runs["9"][f"num_{name}_add"] for name in ("planned", "attempted", "failed")]
    assert counts == [7, 1, 0]
    coverage = {one["sync_run_id"]: one for one in built.rows("log_coverage")}
    assert [coverage[one]["stored_row_count"] for one in ("9", "10")] == [2, 3]
    assert "b" not in {one["row_id"] for one in built.rows("sync_changelog")}
