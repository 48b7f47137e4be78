"""Invariants between the answers and the tables, on random histories."""

import statistics
from pathlib import Path
from typing import Any

import pytest

from oracle import ANSWER_COLUMNS, compute, compute_answers, random_history, read_lake, write_all
from oracle.retention import Retained
from specification.small_lake_answers import Tables

SEEDS = range(60)
STAGES = ("planned", "attempted", "succeeded", "failed", "invalid")


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_agree_with_the_tables(seed: int, tmp_path: Path) -> None:
    history = random_history(seed, has_unreadable_files=seed % 4 == 0)
    write_all(tmp_path, history)
    lake = read_lake(tmp_path)
    tables, answers = compute(lake, history.as_of), compute_answers(lake, history.as_of)
    assert Retained().built(lake, history.as_of).answers() == answers
    assert all(set(ANSWER_COLUMNS[name]) <= set(one) for name in answers for one in answers[name])
    check_errors(tables, answers)
    check_clusters(answers)
    check_records(tables, answers)
    check_failures(tables, answers)
    check_counts(tables, answers)


def check_errors(tables: Tables, answers: Tables) -> None:
    failed = [one for one in tables["sync_changelog"] if one["status"] == "failed"]
    still_failed = [one for one in tables["sync_snapshot"] if one["status"] == "failed"]
    for table in ("errors_by_sync", "errors_by_category"):
        assert total(answers[table], "attempt_count") == len(failed)
        assert total(answers[table], "open_record_count") == len(still_failed)
    assert total(answers["sync_statistics"], "open_record_count") == len(still_failed)


def check_clusters(answers: Tables) -> None:
    clusters = answers["error_clusters"]
    rows = [one for one in answers["error_patterns"] if one["failure_pattern"] is not None]
    for column in ("attempt_count", "open_record_count"):
        assert total(clusters, column) == total(rows, column)
    patterns = [pattern for one in clusters for pattern in one["failure_patterns"]]
    assert len(patterns) == total(clusters, "pattern_count")
    assert sorted(patterns) == sorted({one["failure_pattern"] for one in rows})
    assert [one["cluster_number"] for one in clusters] == list(range(1, len(clusters) + 1))


def check_records(tables: Tables, answers: Tables) -> None:
    keyed = [one for one in tables["sync_changelog"] if one["row_id"] is not None]
    memberships = tables["audience_memberships"]
    closed = [one for one in memberships if one["exit_observed"] is not None]
    history = answers["record_history"]
    assert total(history, "planned_count") == len(keyed)
    assert total(history, "entry_count") == len(memberships)
    assert total(history, "exit_count") == len(closed)
    assert total(answers["sync_statistics"], "record_count") == len(history)
    assert len(answers["audience_events"]) == len(memberships) + len(closed)
    assert len(answers["audience_members"]) == len(memberships) - len(closed)
    last = {key_of(one): one for one in history}
    for one in tables["sync_snapshot"]:
        found = last[key_of(one)]
        for column in ("status", "failure_reason", "last_sync_run_id", "is_delivered"):
            assert found[column] == one[column]
        assert one["op_type"] in (found["op_type"], "unchanged")
    for change in answers["field_changes"]:
        assert (change["previous_value"], change["change_type"]) != (change["new_value"], "changed")


def check_failures(tables: Tables, answers: Tables) -> None:
    periods: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for one in answers["record_failures"]:
        periods.setdefault(key_of(one), []).append(one)
        assert one["is_open"] == (one["ended_by"] is None)
        times = [one[name] for name in ("started_at", "last_failed_at", "ended_at") if one[name]]
        assert times == sorted(times)
    for its_periods in periods.values():
        numbers = [one["failure_number"] for one in its_periods]
        assert numbers == list(range(1, len(numbers) + 1))
        assert not any(one["is_open"] for one in its_periods[:-1])
    # an append row can fail without a period
    appended = {
        key_of(one | {"row_id": one["identifier"]})
        for one in tables["sync_records"]
        if (one["operation"] or "").strip().lower() == "append"
    }
    for one in tables["sync_snapshot"]:
        if one["status"] == "failed" and key_of(one) not in appended:
            last = periods[key_of(one)][-1]
            assert last["is_open"]
            assert last["last_failed_sync_run_id"] == one["last_sync_run_id"]
            assert last["last_failure_reason"] == one["failure_reason"]
    check_failing_since(answers)


def check_failing_since(answers: Tables) -> None:
    open_failures = [one for one in answers["record_failures"] if one["is_open"]]
    keyed = {key_of(one): one["started_at"] for one in open_failures}
    for one in answers["record_history"]:
        its_failures = [key_of(other) for other in answers["record_failures"]].count(key_of(one))
        assert one["failure_count"] == its_failures
        assert one["failing_since_at"] == keyed.get(key_of(one))
    for one in answers["sync_statistics"]:
        starts = [at for key, at in keyed.items() if key[:2] == sync_of(one) and at is not None]
        assert one["failing_since_at"] == min(starts, default=None)
        repaired = [
            other["hours_open"]
            for other in answers["record_failures"]
            if sync_of(other) == sync_of(one) and other["ended_by"] == "succeeded"
        ]
        known = [hours for hours in repaired if hours is not None]
        median = statistics.median(known) if known else None
        assert one["median_hours_to_repair"] == pytest.approx(median)
    for one in answers["errors_by_sync"]:
        if one["failing_since_at"] is not None:
            assert one["open_record_count"] > 0
            assert one["failing_since_at"] in [
                at for key, at in keyed.items() if key[:2] == sync_of(one)
            ]


def check_counts(tables: Tables, answers: Tables) -> None:
    totals = answers["sync_statistics"]
    for stage in STAGES:
        counted = sum(
            total(tables["sync_runs"], f"num_{stage}_{suffix}")
            for suffix in ("add", "change", "remove")
        )
        assert total(totals, f"{stage}_count") == counted
    assert total(totals, "run_count") == len(tables["sync_runs"])
    daily = answers["sync_activity_daily"]
    dated = total(daily, "run_count")
    assert dated + total(totals, "undated_run_count") == len(tables["sync_runs"])
    days = {(one["organization_id"], one["sync_id"], one["activity_date"]) for one in daily}
    assert len(days) == len(daily)


def total(rows: list[dict[str, Any]], column: str) -> int:
    return sum(one[column] for one in rows)


def sync_of(one: dict[str, Any]) -> tuple[Any, ...]:
    return one["organization_id"], one["sync_id"]


def key_of(one: dict[str, Any]) -> tuple[Any, ...]:
    return one["organization_id"], one["sync_id"], one["row_id"]
