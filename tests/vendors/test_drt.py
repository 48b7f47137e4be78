"""Files of drt as a source, expected by hand. tests/long/test_drt_sources.py runs drt itself."""

from datetime import datetime

from vendors.drt_logs import ORDERS, PEOPLE
from vendors.three_builds import ThreeBuilds, shown

DRT = "shop"


def test_failures_without_dead_letters_are_named(builds: ThreeBuilds) -> None:
    counts = ("reported_failed_count", "logged_failed_count", "issue")
    assert shown(builds.rows(1, "log_coverage", DRT), "sync_id", *counts) == [
        (PEOPLE, 2, 0, "switched off"),
        (ORDERS, 1, 0, "switched off"),
    ]


def test_dead_letters_are_rejected_records(builds: ThreeBuilds) -> None:
    records = builds.rows(2, "sync_records", DRT)
    at = datetime(2026, 1, 1, 1, 30, 0, 500_000)
    of_row = ("sync_run_id", "identifier", "status_message", "operation", "batch_ended_at")
    assert shown(records, *of_row) == [
        ("r1", "bob", "HTTP 422: bad e-mail", "upsert", at),
        ("r1", "eve", "HTTP 503", "upsert", at),
        ("r3", "bob", "refused", "upsert", at.replace(day=3)),
    ]
    assert shown(records, "record_payload", "payload_kind", "vendor", "source_name")[0] == (
        *('{"email":"bob","age":null,"plan":"é"}', "sent_record", "drt", "shop"),
    )


def test_retries_and_an_expired_history(builds: ThreeBuilds) -> None:
    counted = ("planned", "attempted", "succeeded", "failed")
    of_run = ("sync_run_id", "status", "reported_status", *(f"num_{one}_add" for one in counted))
    assert shown(builds.rows(3, "sync_runs", DRT), *of_run, "is_log_complete") == [
        ("o1", "succeeded", "partial", 4, 4, 3, 1, False),
        ("r1", "succeeded", "partial", 10, 10, 8, 2, None),
        ("r2", "succeeded", "success", 10, 10, 10, 0, None),
        ("r3", "failed", "failed", 1, 1, 0, 1, True),
    ]
    stored = ("stored_row_count", "deleted_row_count", "issue")
    coverage = builds.rows(3, "log_coverage", DRT)
    assert shown(coverage, "sync_run_id", "logged_failed_count", *stored) == [
        ("o1", 0, 0, 0, "switched off"),
        ("r1", 2, 4, 1, "successes not logged"),
        ("r2", 0, 0, 0, "successes not logged"),
        ("r3", 1, 1, 0, None),
    ]
    reasons = ("failure_reason", "record_count", "attempt_count")
    assert shown(builds.rows(3, "errors_by_sync", DRT), *reasons) == [
        ("HTTP 422: bad e-mail", 1, 1),
        ("HTTP 503: try again later", 1, 1),
        ("refused", 1, 1),
    ]
    of_sync = ("sync_id", "succeeded_count", "failed_count", "rejection_rate", "open_record_count")
    assert shown(builds.rows(3, "sync_statistics", DRT), *of_sync) == [
        (PEOPLE, 18, 3, 3 / 21, 2),
        (ORDERS, 3, 1, 1 / 4, 0),
    ]
    days = builds.rows(3, "sync_activity_daily", DRT)
    assert sum(day["succeeded_count"] for day in days) == 21
    assert all(day["succeeded_count"] == day["added_count"] for day in days)
