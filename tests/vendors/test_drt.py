"""Files of drt as a source, expected by hand. tests/long/test_drt_sources.py runs drt itself."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path

from conftest import Warehouse
from helpers.source_tables import with_sources
from vendors.drt_files import source_of, write_lines

# the name of a file is the name of its sync
PEOPLE, ORDERS = "crm people +1%", "orders"


def ran(run: str, day: int, status: str, synced: int, failed: int) -> dict[str, object]:
    """A line of the history: a run of an hour."""
    return {
        **{"sync_name": "not read", "started_at": f"2026-01-{day:02}T01:00:00.000001+00:00"},
        **{"completed_at": f"2026-01-{day:02}T02:00:00+00:00", "duration_seconds": 3600.0},
        **{"status": status, "records_synced": synced, "records_failed": failed, "errors": []},
        **{"cursor_value_used": None, "dry_run": False, "run_id": "i", "sync_run_id": run},
        "guards": None,
    }


def letter(run: str, day: int, name: str, status: int | None, message: str) -> dict[str, object]:
    """A dead letter of the half of the hour."""
    return {
        **{"record": {"email": name, "age": None, "plan": "é"}, "error_message": message},
        **{"http_status": status, "timestamp": f"2026-01-{day:02}T01:30:00.5+00:00"},
        **{"attempts": 1, "sync_run_id": run, "id": f"{run}/{name}"},
    }


def shown(rows: Iterable[Mapping[str, object]], *columns: str) -> list[tuple[object, ...]]:
    """Some columns of rows, sorted."""
    return sorted((tuple(one[column] for column in columns) for one in rows), key=str)


def test_the_tables_say_what_drt_logs(warehouse: Callable[..., Warehouse], tmp_path: Path) -> None:
    history, letters = tmp_path / ".drt" / "history", tmp_path / ".drt" / "dlq"
    given = with_sources(source_of(tmp_path / ".drt"))
    built = warehouse("drt_files")
    first, second = ran("r1", 1, "partial", 8, 2), ran("r2", 2, "success", 10, 0)
    write_lines(history, PEOPLE, [first], cut='{"sync_name": "crm people", "started_')
    write_lines(history, ORDERS, [ran("o1", 1, "partial", 3, 1)])
    # no record of a sync with dead letters has failed yet, so drt has made no folder for them
    assert built.dbt("run", variables=given), built.failures()
    counts = ("reported_failed_count", "logged_failed_count", "issue")
    assert shown(built.rows("log_coverage"), "sync_id", *counts) == [
        (PEOPLE, 2, 0, "switched off"),
        (ORDERS, 1, 0, "switched off"),
    ]

    bob, eve = letter("r1", 1, "bob", 422, "bad e-mail"), letter("r1", 1, "eve", 503, "")
    third = ran("r3", 3, "failed", 0, 1)
    write_lines(letters, PEOPLE, [bob, eve, letter("r3", 3, "bob", None, "refused")])
    write_lines(history, PEOPLE, [first, second, third])
    (history / f"{PEOPLE}.jsonl.tmp").write_text('{"sync_run_id": "r9", "status": "success"}\n')
    assert built.dbt("run", variables=given), built.failures()
    at = datetime(2026, 1, 1, 1, 30, 0, 500_000)
    of_row = ("sync_run_id", "identifier", "status_message", "operation", "batch_ended_at")
    later = at.replace(day=3)
    assert shown(built.rows("sync_records"), *of_row) == [
        ("r1", "bob", "HTTP 422: bad e-mail", "upsert", at),
        ("r1", "eve", "HTTP 503", "upsert", at),
        ("r3", "bob", "refused", "upsert", later),
    ]
    records = built.rows("sync_records")
    assert shown(records, "record_payload", "payload_kind", "vendor", "source_name")[0] == (
        *('{"email":"bob","age":null,"plan":"é"}', "sent_record", "drt", "shop"),
    )

    # a retry delivers bob of the first run, but not eve; the history of that run expires
    again = eve | {"attempts": 3, "error_message": "try again later"}
    write_lines(letters, PEOPLE, [again, letter("r3", 3, "bob", None, "refused")])
    write_lines(history, PEOPLE, [second, third])
    assert built.dbt("run", variables=given), built.failures()
    counted = ("planned", "attempted", "succeeded", "failed")
    of_run = ("sync_run_id", "status", "reported_status", *(f"num_{one}_add" for one in counted))
    assert shown(built.rows("sync_runs"), *of_run, "is_log_complete") == [
        ("o1", "succeeded", "partial", 4, 4, 3, 1, False),
        ("r1", "succeeded", "partial", 10, 10, 8, 2, None),
        ("r2", "succeeded", "success", 10, 10, 10, 0, None),
        ("r3", "failed", "failed", 1, 1, 0, 1, True),
    ]
    stored = ("stored_row_count", "deleted_row_count", "issue")
    assert shown(built.rows("log_coverage"), "sync_run_id", "logged_failed_count", *stored) == [
        ("o1", 0, 0, 0, "switched off"),
        ("r1", 2, 4, 1, "successes not logged"),
        ("r2", 0, 0, 0, "successes not logged"),
        ("r3", 1, 1, 0, None),
    ]
    reasons = ("failure_reason", "record_count", "attempt_count")
    assert shown(built.rows("errors_by_sync"), *reasons) == [
        ("HTTP 422: bad e-mail", 1, 1),
        ("HTTP 503: try again later", 1, 1),
        ("refused", 1, 1),
    ]
    of_sync = ("sync_id", "succeeded_count", "failed_count", "rejection_rate", "open_record_count")
    assert shown(built.rows("sync_statistics"), *of_sync) == [
        (PEOPLE, 18, 3, 3 / 21, 2),
        (ORDERS, 3, 1, 1 / 4, 0),
    ]
    days = shown(built.rows("sync_activity_daily"), "sync_id", "succeeded_count", "added_count")
    assert sum(int(str(count)) for _, count, _ in days) == 21
    assert all(succeeded == added for _, succeeded, added in days)
