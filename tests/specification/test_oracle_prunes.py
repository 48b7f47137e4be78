"""Pruned history, runs that are too late, settings: expected values worked out by hand."""

import pytest

from oracle.building import at, batch, lake_of, row, sent
from oracle.retention import Prune, Retained
from specification.small_retention import (
    AS_OF,
    THREE,
    before,
    built,
    flagged,
    identifiers,
    kept,
    rows_of,
    run_row,
    runs_with_rows,
)

MINUTE = 1 / (24 * 60)


# State and runs do not change. Only row-level history is removed.
def test_a_prune_removes_rows_and_keeps_state() -> None:
    whole = built(*THREE)
    pruned = whole.after_prune(before(3))
    assert runs_with_rows(pruned) == ["3"]
    assert flagged(pruned, "is_pruned") == ["1", "2"]
    for table in ("sync_snapshot", "audience_memberships"):
        assert rows_of(pruned, table) == rows_of(whole, table)
    assert len(rows_of(whole, "sync_snapshot")) == 3
    for before_prune, after in zip(
        rows_of(whole, "sync_runs"), rows_of(pruned, "sync_runs"), strict=True
    ):
        assert after | {"is_pruned": False} == before_prune


# A run exactly at the cutoff is not old.
@pytest.mark.parametrize(("minute", "pruned"), [(1, []), (2, ["1"]), (4, ["1", "2", "3"])])
def test_runs_before_the_cutoff_are_old(minute: int, pruned: list[str]) -> None:
    assert flagged(built(*THREE).after_prune(before(minute)), "is_pruned") == pruned


# Runs are ordered by reported start. Run 2 started before the cutoff, but its last batch ended
# after it.
def test_the_prefix_stops_at_a_recent_run() -> None:
    metadata: dict[str, object] = {
        "1": {"sync_run_started_at": "2025-03-01T00:01:00Z"},
        "2": {"sync_run_started_at": "2025-03-01T00:02:00Z"},
        "3": {"sync_run_started_at": "2025-03-01T00:03:00Z"},
    }
    files = (sent("1", 2, "a"), sent("2", 50, "a"), sent("3", 4, "a"))
    retained = built(*files, metadata=metadata)
    assert flagged(retained.after_prune(before(40)), "is_pruned") == ["1"]
    assert flagged(retained.after_prune(before(51)), "is_pruned") == ["1", "2", "3"]


# The next run does not settle a mirror run: 60 minutes must pass.
def test_the_prefix_stops_at_an_unsettled_run() -> None:
    mirror = batch("2", row("a", "mirror", "succeeded", ended=20))
    lake = lake_of(sent("1", 1, "a"), mirror, sent("3", 30, "a"))
    early = Retained().built(lake, at(80))
    assert flagged(early, "is_settled") == ["1"]
    assert flagged(early.after_prune(before(1000)), "is_pruned") == ["1"]
    # a prune uses the flags of the last build, whatever the time
    late = Retained().built(lake, at(81))
    assert flagged(late.after_prune(before(1000)), "is_pruned") == ["1", "2"]


# One of the two times is enough. A run without any time is never old, and is last in the order.
def test_times_that_are_null() -> None:
    metadata: dict[str, object] = {
        "1": {"sync_run_started_at": "2025-03-01T00:01:00Z", "sync_run_status": "succeeded"},
        "3": {"sync_run_status": "succeeded"},
    }
    retained = built(sent("2", None, "a"), sent("4", 4, "a"), metadata=metadata)
    assert flagged(retained.after_prune(before(5)), "is_pruned") == ["1", "4"]


def test_organisations_and_syncs_are_independent() -> None:
    files = [
        sent("1", 1, "a", organization=organization, sync=sync)
        for organization in ("o", "p")
        for sync in ("s", "t")
    ]
    retained = built(*files)

    def pruned(prune: Prune) -> list[tuple[str, str]]:
        return sorted(retained.runs_to_prune(prune))

    assert pruned(before(9)) == [("o", "s"), ("o", "t"), ("p", "s"), ("p", "t")]
    assert pruned(before(9, "p")) == [("p", "s"), ("p", "t")]
    assert pruned(before(9, "p", "t")) == [("p", "t")]
    assert pruned(before(9, "q")) == []
    # each sync has its own horizon: run 0 is too late only where run 1 was pruned
    late = [sent("0", 0, "a", organization=one, sync=two) for one, two in (("o", "t"), ("p", "t"))]
    after = retained.after_prune(before(9, "p", "t")).built(lake_of(*late), AS_OF)
    assert [
        row["organization_id"] for row in rows_of(after, "sync_runs") if row["is_too_late"]
    ] == ["p"]


def test_a_run_ordered_before_the_horizon_is_too_late() -> None:
    pruned = built(sent("5", 5, "a"), sent("6", 9, "b")).after_prune(before(6))
    late = pruned.built(lake_of(sent("7", 4, "c"), sent("4", 7, "d")), AS_OF)
    assert flagged(late, "is_too_late") == ["7"]
    assert runs_with_rows(late) == ["4", "6"]
    assert identifiers(late, "sync_snapshot") == ["a", "b", "d"]
    assert {one: run_row(late, one)["run_position"] for one in ("5", "4", "6", "7")} == {
        **{"5": 1, "4": 2, "6": 3},
        "7": None,
    }
    too_late = run_row(late, "7")
    assert too_late["order_at"] == at(4)
    assert {too_late[column] for column in too_late if column.startswith("num_")} == {0}


# Runs with equal times are ordered by number (text after numbers), then as text. 05 is the
# number 5, and '05' < '5'.
@pytest.mark.parametrize(
    ("run", "is_too_late"),
    [("4", True), ("10", False), ("05", True), ("005", True), ("5a", False), ("", False)],
)
def test_runs_at_the_time_of_the_horizon(run: str, is_too_late: bool) -> None:
    pruned = built(sent("5", 5, "a")).after_prune(before(6))
    late = pruned.built(lake_of(sent(run, 5, "b")), AS_OF)
    assert flagged(late, "is_too_late") == ([run] if is_too_late else [])


def test_metadata_moves_a_run_behind_the_horizon_and_back() -> None:
    pruned = built(sent("5", 5, "a")).after_prune(before(6))
    late = pruned.built(lake_of(sent("6", 4, "b")), AS_OF)
    assert flagged(late, "is_too_late") == ["6"]
    metadata: dict[str, object] = {"6": {"sync_run_started_at": "2025-03-01T00:08:00Z"}}
    moved = late.built(lake_of(metadata=metadata), AS_OF)
    assert flagged(moved, "is_too_late") == []
    assert runs_with_rows(moved) == ["6"]
    assert identifiers(moved, "sync_snapshot") == ["a", "b"]


# Run 1 settled because run 2 came after it. Run 2 then turns out to be too late.
def test_a_pruned_run_stays_settled_when_the_run_after_it_becomes_too_late() -> None:
    files = (sent("1", 30, "a"), sent("2", 40, "b"))
    pruned = Retained().built(lake_of(*files), at(50)).after_prune(before(35))
    assert flagged(pruned, "is_pruned") == ["1"]
    metadata: dict[str, object] = {"2": {"sync_run_started_at": "2025-03-01T00:10:00Z"}}
    late = pruned.built(lake_of(metadata=metadata), at(51))
    assert flagged(late, "is_too_late") == ["2"]
    assert run_row(late, "1")["status"] == "succeeded"


def test_files_of_a_pruned_run_change_nothing() -> None:
    pruned = built(*THREE, metadata={"1": {"model_name": "Leads"}}).after_prune(before(2))
    changed = sent("1", 9, "x", "y")
    new = sent("1", 1, "z", name="b.2")
    metadata: dict[str, object] = {
        "1": {"model_name": "Other", "sync_run_started_at": "2025-03-02T00:00:00Z"}
    }
    assert pruned.built(lake_of(changed, new, metadata=metadata), AS_OF).tables() == pruned.tables()
    assert pruned.built().tables() == pruned.tables()


def test_two_prunes_in_a_row() -> None:
    once = built(*THREE).after_prune(before(2))
    assert flagged(once, "is_pruned") == ["1"]
    assert [run.sync_run_id for run in once.runs_to_prune(before(3))["o", "s"]] == ["2"]
    twice = once.after_prune(before(3))
    assert flagged(twice, "is_pruned") == ["1", "2"]
    # an earlier cutoff does not restore anything
    assert twice.after_prune(before(2)).tables() == twice.tables()
    again = twice.built(lake_of(*THREE), AS_OF)
    assert again.tables() == twice.tables()
    # the horizon has moved: run 1.5 is after the first horizon, but before the second
    between = lake_of(sent("1.5", 1, "a"))
    assert flagged(once.built(between, AS_OF), "is_too_late") == []
    assert flagged(twice.built(between, AS_OF), "is_too_late") == ["1.5"]


# A key from pruned history: late start and op type come from the state alone.
def test_state_continues_across_the_horizon() -> None:
    pruned = built(sent("1", 1, "a")).after_prune(before(2))
    delete = batch("2", row("a", "delete", "succeeded", ended=2), row("b", "upsert", "rejected"))
    after = pruned.built(lake_of(delete), AS_OF)
    assert [
        (row["row_id"], row["entered_sync_run_id"], row["exited_sync_run_id"])
        for row in rows_of(after, "audience_memberships")
    ] == [("a", "1", "2")]
    assert identifiers(after, "sync_snapshot") == ["b"]


def test_settings() -> None:
    files = (sent("1", 1, "a"), sent("1", 1, "a", sync="t"))
    for tables, setting in (
        (("sync_changelog",), "keep_changelog"),
        (("sync_snapshot",), "keep_snapshot"),
        (("sync_runs", "log_coverage"), "keep_runs"),
    ):
        plain = kept(*files).tables()
        without = kept(*files, sync="s", **{setting: False}).tables()
        for table in tables:
            assert [row["sync_id"] for row in without.pop(table)] == ["t"]
            assert [row["sync_id"] for row in plain.pop(table)] == ["s", "t"]
        assert without == plain
    assert list(kept(*files, is_active=False).runs_to_prune(before(9))) == [("o", "t")]


def test_days_come_from_the_prune_or_else_from_the_settings() -> None:
    files = (sent("1", 1, "a"), sent("1", 1, "a", sync="t"))
    retained = kept(*files, retention_days=2 * MINUTE)
    assert list(retained.runs_to_prune(Prune(at(3)))) == []
    assert list(retained.runs_to_prune(Prune(at(4)))) == [("o", "s")]
    assert list(retained.runs_to_prune(Prune(at(4), 4 * MINUTE))) == []
