"""The oracle against the worked example of docs/semantics.md, row by row, with more runs."""

from dataclasses import replace

import pytest

from oracle.building import at, batch, lake_of, row
from oracle.lake import BatchFile, LoggedRow
from oracle.semantics import compute

OTHER = row("z", "upsert", "succeeded")

# The raw attempts of record `a` by run.
RAW: dict[int, list[LoggedRow]] = {
    0: [OTHER],
    1: [row("a", "upsert", "rejected")],
    2: [row("a", "upsert", "rejected"), row("a", "upsert", "succeeded")],
    3: [OTHER],
    4: [row("a", "upsert", "DUPLICATE"), row("a", "upsert", "succeeded")],
    5: [row("a", "delete", "rejected")],
    6: [OTHER],
    7: [row("a", "delete", "succeeded")],
    8: [row("a", "delete", "succeeded"), row("a", "upsert", "succeeded")],
    9: [row("a", "upsert", "DUPLICATE")],
    10: [row("a", "delete", "succeeded"), row("a", "upsert", "rejected")],
    11: [
        row("a", "upsert", "aborted"),
        row("a", "upsert", "succeeded"),
        row("y", "upsert", "aborted"),
    ],
    12: [row("a", "upsert", "succeeded"), row("a", "upsert", "rejected")],
}

# run: changelog rows as (op_type, status, whether it is the invalid row).
CHANGELOG: dict[int, list[tuple[str, str, bool]]] = {
    0: [],
    1: [("added", "failed", False)],
    2: [("added", "succeeded", False)],
    3: [],
    4: [("changed", "failed", True), ("changed", "succeeded", False)],
    5: [("removed", "failed", False)],
    6: [],
    7: [("removed", "succeeded", False)],
    8: [("added", "succeeded", False)],
    9: [("changed", "failed", True)],
    10: [("changed", "failed", False)],
    11: [("added", "succeeded", False)],
    12: [("changed", "failed", False)],
}

# run: the run since which the record has been in, as of this run; None if it is out.
IN_SINCE: dict[int, str | None] = {
    0: None,
    1: None,
    2: "2",
    3: "2",
    4: "2",
    5: "2",
    6: "2",
    7: None,
    8: "8",
    9: "8",
    10: None,
    11: "11",
    12: "11",
}

# run: (op_type, status) in the snapshot after the run; None if the record is not in the snapshot.
SNAPSHOT: dict[int, tuple[str, str] | None] = {
    0: None,
    1: ("added", "failed"),
    2: ("added", "succeeded"),
    3: ("unchanged", "succeeded"),
    4: ("changed", "succeeded"),
    5: ("removed", "failed"),
    6: ("unchanged", "failed"),
    7: None,
    8: ("added", "succeeded"),
    9: ("changed", "failed"),
    10: ("changed", "failed"),
    11: ("added", "succeeded"),
    12: ("changed", "failed"),
}

AS_OF = at(10_000)


def example(last_run: int) -> dict[str, list[dict[str, object]]]:
    """Compute the tables after a run. Each run is ten minutes after the previous one."""
    files: list[BatchFile] = []
    for run in range(last_run + 1):
        time = at(10 * run)
        rows = [replace(one, batch_started_at=time, batch_ended_at=time) for one in RAW[run]]
        files.append(batch(str(run), *rows))
    return compute(lake_of(*files), AS_OF)


@pytest.mark.parametrize("run", range(13))
def test_changelog_of_the_worked_example(run: int) -> None:
    found = [
        (r["op_type"], r["status"], r["failed_reason"] == "Invalid record: duplicate identifier")
        for r in example(run)["sync_changelog"]
        if r["row_id"] == "a" and r["sync_run_id"] == str(run)
    ]
    assert sorted(found) == sorted(CHANGELOG[run])


@pytest.mark.parametrize("run", range(13))
def test_delivered_state_of_the_worked_example(run: int) -> None:
    open_since = [
        r["entered_sync_run_id"]
        for r in example(run)["audience_memberships"]
        if r["row_id"] == "a" and r["exit_observed"] is None
    ]
    assert open_since == ([] if IN_SINCE[run] is None else [IN_SINCE[run]])


@pytest.mark.parametrize("run", range(13))
def test_snapshot_of_the_worked_example(run: int) -> None:
    found = [
        (r["op_type"], r["status"], r["is_delivered"])
        for r in example(run)["sync_snapshot"]
        if r["row_id"] == "a"
    ]
    expected = SNAPSHOT[run]
    assert found == ([] if expected is None else [(*expected, IN_SINCE[run] is not None)])


def test_memberships_of_the_worked_example() -> None:
    found = [
        (r["entered_sync_run_id"], r["entered_at"], r["exited_sync_run_id"], r["exited_at"])
        for r in example(12)["audience_memberships"]
        if r["row_id"] == "a"
    ]
    assert found == [
        ("2", at(20), "7", at(70)),
        ("8", at(80), "10", at(100)),
        ("11", at(110), None, None),
    ]


def test_run_status_of_the_worked_example() -> None:
    statuses = {r["sync_run_id"]: r["status"] for r in example(12)["sync_runs"]}
    # All rows failed in runs 1, 5, 10 and 12. One was aborted in run 11. Run 9 has only an
    # invalid row, which does not fail a run.
    failed = {run for run, status in statuses.items() if status == "failed"}
    assert failed == {"1", "5", "10", "11", "12"}
