"""Invariants of the oracle on random histories, read from disk."""

from pathlib import Path
from typing import Any

import pytest

from oracle import (
    COLUMNS,
    History,
    Lake,
    apply_step,
    compute,
    differences,
    merge,
    random_history,
    read_lake,
    write_all,
)
from specification.small_lake_answers import Tables

SEEDS = range(200)


def final_tables(root: Path, history: History) -> Tables:
    write_all(root, history)
    return compute(read_lake(root), history.as_of)


@pytest.mark.parametrize("seed", SEEDS)
def test_invariants(seed: int, tmp_path: Path) -> None:
    history = random_history(seed, has_unreadable_files=seed % 4 == 0)
    tables = final_tables(tmp_path / "a", history)
    check_conservation(read_lake(tmp_path / "a"), tables)
    for run in tables["sync_runs"]:
        check_counts(run)
    check_snapshot(tables)
    check_intervals(tables)

    remembered = Lake()
    for step in history.steps:
        apply_step(tmp_path / "b", step)
        remembered = merge(remembered, read_lake(tmp_path / "b"))
    stepwise = compute(remembered, history.as_of)
    for name, columns in COLUMNS.items():
        assert differences(tables[name], stepwise[name], columns) == []
        assert all(set(columns) == set(found) for found in tables[name])


def check_conservation(lake: Lake, tables: Tables) -> None:
    statuses = [found["record_status"] for found in tables["sync_records"]]
    unsent = [status for status in statuses if status not in ("succeeded", "failed")]
    assert len(statuses) == sum(len(file.rows or ()) for file in lake.files.values())
    assert len(statuses) == len(tables["sync_log"]) + len(unsent)


def check_counts(run: dict[str, Any]) -> None:
    for suffix in ("add", "change", "remove"):
        planned, attempted, succeeded, failed, invalid = (
            run[f"num_{stage}_{suffix}"]
            for stage in ("planned", "attempted", "succeeded", "failed", "invalid")
        )
        assert planned >= attempted == succeeded + failed
        assert failed >= invalid


def check_snapshot(tables: Tables) -> None:
    keys = [(r["organization_id"], r["sync_id"], r["row_id"]) for r in tables["sync_snapshot"]]
    open_keys = {
        (r["organization_id"], r["sync_id"], r["row_id"])
        for r in tables["audience_memberships"]
        if r["exit_observed"] is None
    }
    delivered = [
        key for key, r in zip(keys, tables["sync_snapshot"], strict=True) if r["is_delivered"]
    ]
    assert len(keys) == len(set(keys))
    assert None not in [key[2] for key in keys]
    assert set(delivered) <= open_keys


def check_intervals(tables: Tables) -> None:
    last_exits: dict[tuple[str, str, str], Any] = {}
    closed = [r for r in tables["audience_memberships"] if r["exit_observed"] is not None]
    still_open = [r for r in tables["audience_memberships"] if r["exit_observed"] is None]
    # The intervals of a record close in the order of its runs. At most one stays open.
    for found in [*closed, *still_open]:
        key = (found["organization_id"], found["sync_id"], found["row_id"])
        times = [last_exits.get(key), found["entered_at"], found["exited_at"]]
        known = [time for time in times if time is not None]
        assert known == sorted(known)
        last_exits[key] = found["exited_at"] or found["entered_at"] or last_exits.get(key)
    open_keys = [(r["organization_id"], r["sync_id"], r["row_id"]) for r in still_open]
    assert len(open_keys) == len(set(open_keys))


def test_histories_are_reproducible_and_varied() -> None:
    assert random_history(7) == random_history(7)
    histories = [random_history(seed) for seed in SEEDS]
    assert any(step.deletes for history in histories for step in history.steps)
    rewritten = [
        path
        for history in histories
        for path in [file.path for step in history.steps for file in step.writes]
        if [file.path for step in history.steps for file in step.writes].count(path) > 1
    ]
    assert len(rewritten) > 100


def test_every_case_occurs(tmp_path: Path) -> None:
    found = [final_tables(tmp_path / str(s), random_history(s)) for s in range(60)]
    members = [row for tables in found for row in tables["audience_memberships"]]
    runs = [row for tables in found for row in tables["sync_runs"]]
    assert {row["exit_observed"] for row in members} == {True, False, None}
    assert {row["entry_observed"] for row in members} == {True, False}
    assert any(row["entered_sync_run_id"] is None for row in members)
    assert {row["status"] for row in runs} == {"succeeded", "failed", None}
    snapshot = {(r["op_type"], r["status"]) for tables in found for r in tables["sync_snapshot"]}
    for op_type in ("added", "changed", "unchanged"):
        assert {status for o, status in snapshot if o == op_type} == {
            *("succeeded", "failed", "aborted")
        }
    # A removed row stays only while its record is in, that is, its delete did not succeed.
    assert ("removed", "failed") in snapshot
    assert ("removed", "succeeded") not in snapshot


def test_differences_are_a_few_readable_lines() -> None:
    expected: list[dict[str, object]] = [{"a": 1, "b": None}, {"a": 1, "b": None}]
    surplus: list[dict[str, object]] = [{"a": n, "b": 0} for n in range(30)]
    actual = [expected[0], *surplus]
    lines = differences(expected, actual, ["a", "b"])
    assert lines[:2] == ["rows: expected 2, actual 31", "missing x1: a=1, b=None"]
    assert len(lines) == 13
    assert differences(expected, expected[::-1], ["a", "b"]) == []
