"""What is read of Hightouch's snapshots, rule by rule: expected values worked out by hand."""

from typing import Any

import pytest

from oracle.building import at
from oracle.building_hightouch import held, logged, ran
from oracle.hightouch import runs_of
from oracle.hightouch_snapshots import Content, seen_in
from oracle.history import in_order
from oracle.rows import Row
from oracle.semantics import tables_of

Tables = dict[str, list[dict[str, Any]]]
RUN_1, RUN_2, RUN_3 = ran("1", 1, 5), ran("2", 11, 15), ran("3", 21, 25)
# Without a finish and a status, the run goes on.
RUN_2_GOES_ON = ran("2", 11)


def step(*rows: Row, runs: tuple[Row, ...] = (RUN_1,), changelog: tuple[Row, ...] = ()) -> Content:
    """Create the content of a source at one time: `rows` are those of its snapshot."""
    return {"sync_changelog": changelog, "sync_runs": runs, "sync_snapshot": rows}


def after(*steps: Content) -> Tables:
    """Compute the tables after builds that find these contents."""
    return tables_of(in_order(runs_of(seen_in("o", steps)), at(10_000), settle_minutes=60))


def outcomes(*steps: Content) -> set[tuple[Any, ...]]:
    """Return run, record, operation as logged, op_type and status of each row of the changelog."""
    tables = after(*steps)
    operations = {
        (row["sync_id"], row["sync_run_id"], row["identifier"]): row["operation"]
        for row in tables["sync_records"]
    }
    return {
        (
            *(row["sync_run_id"], row["row_id"]),
            operations[row["sync_id"], row["sync_run_id"], row["row_id"]],
            *(row["op_type"], row["status"]),
        )
        for row in tables["sync_changelog"]
    }


def added(run: str, *row_ids: str) -> set[tuple[Any, ...]]:
    return {(run, row_id, "added", "added", "succeeded") for row_id in row_ids}


def delivered(*steps: Content) -> set[str]:
    return {row["row_id"] for row in after(*steps)["sync_snapshot"] if row["is_delivered"]}


def exits(*steps: Content) -> set[tuple[Any, ...]]:
    columns = ("row_id", "exited_sync_run_id", "exited_at", "exit_observed")
    return {
        tuple(row[column] for column in columns)
        for row in after(*steps)["audience_memberships"]
        if row["exit_observed"] is not None
    }


def counts(*steps: Content, run: str = "1") -> tuple[int, int, int]:
    (row,) = [row for row in after(*steps)["log_coverage"] if row["sync_run_id"] == run]
    return row["stored_row_count"], row["deleted_row_count"], row["duplicate_row_count"]


# S2: it is like a row of the changelog of the run.
def test_a_row() -> None:
    row = held(7, " Changed", "FAILED", failed_reason="no", fields="{}", split_group="g")
    tables = after(step(row))
    (record,), (entry,) = tables["sync_records"], tables["sync_changelog"]
    assert (record["identifier"], record["operation"], record["record_status"]) == (
        *("7", " Changed", "failed"),
    )
    assert (record["file_name"], record["batch_ended_at"]) == ("sync_snapshot", None)
    assert (entry["sync_run_id"], entry["op_type"], entry["status"]) == ("1", "changed", "failed")
    assert (entry["failed_reason"], entry["fields"], entry["split_group"]) == ("no", "{}", "g")
    assert (entry["file_name"], entry["attempted_at"]) == ("sync_snapshot", at(5))


# S1: a sync that has rows in its changelog now is not read, but others are.
def test_a_changelog_goes_first() -> None:
    row = logged("1", "b", "changed")
    assert outcomes(step(held("a"), changelog=(row,))) == {
        ("1", "b", "changed", "changed", "succeeded")
    }
    assert outcomes(step(held("a"), changelog=(row | {"sync_id": "other"},))) >= added("1", "a")
    # what an earlier changelog said is known, also if it is gone
    steps = (step(changelog=(row,)), step(held("b", "unchanged"), held("c"), runs=(RUN_1, RUN_2)))
    assert outcomes(*steps) - outcomes(steps[0]) == added("2", "c")


# S1: the last run has ended: it has a finish, or a status whose meaning is known.
@pytest.mark.parametrize(
    ("run", "is_read"),
    [
        *[(RUN_1, True), (ran("1", 1), False), (ran("1", 1, status="running"), False)],
        *[(ran("1", 1, status=" Success"), True), (ran("1", 1, status="Cancelled"), True)],
    ],
)
def test_only_a_run_that_has_ended(run: Row, is_read: bool) -> None:
    assert outcomes(step(held("a"), runs=(run,))) == (added("1", "a") if is_read else set())
    assert outcomes(step(held("a"), runs=(run | {"sync_id": "other"},))) == set()
    assert outcomes({"sync_changelog": [], "sync_snapshot": [held("a")]}) == set()


# S1: runs are in the order of their start (nulls last), of the id as a number, of the id as text.
@pytest.mark.parametrize(
    ("runs", "last"),
    [
        ((ran("9", 2, 9), ran("10", 1, 9)), "9"),
        ((ran("9", 1, 9), ran("1", None, 9)), "1"),
        ((ran("9", 1, 9), ran("10", 1, 9)), "10"),
        ((ran("9", 1, 9), ran("a", 1, 9)), "a"),
        ((ran("b", 1, 9), ran("a", 1, 9)), "b"),
        # the last one goes on
        ((ran("1", 1, 9), ran("2", 2)), None),
    ],
)
def test_the_last_run(runs: tuple[Row, ...], last: str | None) -> None:
    expected = set() if last is None else added(last, "a")
    assert outcomes(step(held("a"), runs=runs)) == expected
    assert outcomes(step(held("a"), runs=runs[::-1])) == expected


# S1: other words and rows without row_id are not counted, nor are removed and unchanged rows.
@pytest.mark.parametrize(
    ("reported", "is_read"),
    [
        *[({"num_planned_add": 1, "num_planned_change": 2}, True), ({"num_planned_add": 2}, False)],
        *[({"num_planned_change": 3}, False), ({"num_planned_remove": 7}, True)],
    ],
)
def test_counts_of_the_run(reported: dict[str, int], is_read: bool) -> None:
    rows = (
        *(held("a", "ADDED "), held("b", "changed"), held("c", "changed"), held("d", "removed")),
        *(held("e", "unchanged"), held("f", "add ed"), held(None), held("a", "added", "failed")),
    )
    found = outcomes(step(*rows, runs=(ran("1", 1, 5, **reported),)))
    assert len(found) == (6 if is_read else 0)


# S1: of copies, the best status counts, then the smallest status, reason, fields and group.
def test_copies() -> None:
    rows = (
        *(held("a", "changed", "failed"), held("a"), held("b", status=None), held("b", "changed")),
        *(held("c", status="x", fields="1"), held("c", status="x", fields="0")),
        *(held("d", status="y", fields="0"), held("d", status="x")),
        *(held("e", failure_reason="s"), held("e", failure_reason="r", fields="z")),
        *(held("f", status="aborted"), held("f", status="a"), held("g"), held("g", fields="")),
    )
    tables = after(step(*rows))
    found = {row["identifier"]: row for row in tables["sync_records"]}
    assert len(tables["sync_records"]) == len(found) == 7
    assert {row_id: row["operation"] for row_id, row in found.items() if row_id in "ab"} == {
        **{"a": "added", "b": "changed"}
    }
    assert [found["c"]["record_payload"], found["d"]["record_payload"]] == ["0", None]
    assert [found["e"]["status_message"], found["f"]["record_status"]] == ["r", "not_attempted"]
    assert found["g"]["record_payload"] == ""
    assert counts(step(*rows)) == (7, 0, 7)


# S2: an unchanged record that is not known was in, unless it failed. A word that is none of the
# four is read like that, too.
@pytest.mark.parametrize("word", ["unchanged", " UNCHANGED", "insert", "", None])
def test_unchanged_and_not_known(word: str | None) -> None:
    rows = (held("a", word), held("b", word, None), held("c", word, "rejected"))
    first = step(*rows, held("d", word, ""))
    assert outcomes(first) == {
        *[("1", row_id, "changed", "changed", "succeeded") for row_id in "ab"],
        *[("1", "c", "added", "added", "failed"), ("1", "d", "changed", "changed", "failed")],
    }
    assert delivered(first) == {"a", "b"}
    entries = after(first)["audience_memberships"]
    assert {(row["entered_at"], row["entry_observed"]) for row in entries} == {(None, False)}


# S2: an unchanged record that is known has no row, whatever is known of it.
def test_unchanged_and_known() -> None:
    first = step(held("a"), held("b", status="failed"), held("c", status="aborted"))
    rows = [held(row_id, "unchanged") for row_id in "abcd"]
    second = step(*rows, runs=(RUN_1, RUN_2))
    assert outcomes(first, second) - outcomes(first) == {
        ("2", "d", "changed", "changed", "succeeded")
    }
    assert delivered(first, second) == {"a", "d"}


# S2: what is in and not in the snapshot has left, and nobody saw it. It may come back.
def test_vanished() -> None:
    first = step(held("a"), held("b"), held("c", status="failed"), held("d"))
    second = step(held("d", "removed", fields="{}"), held("e"), runs=(RUN_1, RUN_2))
    gone = {("2", row_id, "vanished", "removed", "succeeded") for row_id in "ab"}
    assert outcomes(first, second) - outcomes(first) == {
        *(gone | added("2", "e")),
        ("2", "d", "removed", "removed", "succeeded"),
    }
    assert exits(first, second) == {
        *[("a", "2", at(15), False), ("b", "2", at(15), False), ("d", "2", at(15), True)]
    }
    assert delivered(first, second) == {"e"}
    vanished = [r for r in after(first, second)["sync_records"] if r["operation"] == "vanished"]
    for row in vanished:
        assert (row["status_message"], row["record_payload"]) == (None, None)
        assert row["file_name"] == "sync_snapshot"
    third = step(held("a"), held("e", "unchanged"), runs=(RUN_1, RUN_2, RUN_3))
    assert delivered(first, second, third) == {"a", "e"}


# S2: nothing can be told from a snapshot that is missing; rows without row_id are none.
@pytest.mark.parametrize("rows", [(), (held(None),), (held("z") | {"sync_id": "other"},)])
def test_no_rows(rows: tuple[Row, ...]) -> None:
    steps = (step(held("a")), step(*rows, runs=(RUN_1, RUN_2)))
    assert outcomes(*steps) == added("1", "a")
    assert delivered(*steps) == {"a"}


# S3: the run is read again; what it says of a record that failed and is gone stays.
def test_a_run_is_read_again() -> None:
    first = step(held("a", status="failed"), held("b", status="failed"))
    again = step(held("a"), held("c"))
    assert outcomes(first, again) == {
        *added("1", "a", "c"),
        ("1", "b", "added", "added", "failed"),
    }
    later = step(held("a", "changed"), held("c", "changed"), runs=(RUN_1, RUN_2))
    assert outcomes(first, again) < outcomes(first, again, later)


# S3: an earlier reading of the same run counts as known: its row stays, or it vanishes.
def test_known_from_the_same_run() -> None:
    first = step(held("a", "unchanged", fields="1"), held("b"))
    kept = step(held("a", "unchanged", fields="2"), held("b"), held("c"))
    assert outcomes(first, kept) == {
        *added("1", "b", "c"),
        ("1", "a", "changed", "changed", "succeeded"),
    }
    gone = step(held("a", "unchanged", fields="1"))
    assert outcomes(first, gone) - outcomes(first) == {
        ("1", "b", "vanished", "removed", "succeeded")
    }
    assert exits(first, gone) == {("b", "1", at(5), False)}


# S3: a later run is the last one before its snapshot is there, and before it has ended.
def test_a_late_snapshot() -> None:
    first = step(held("a"), held("b"))
    second = step(held("a"), held("b"), runs=(RUN_1, RUN_2_GOES_ON))
    counted = ran("2", 11, 15, num_planned_add=1)
    third = step(held("a"), held("b"), runs=(RUN_1, counted))
    assert outcomes(first, second, third) == added("1", "a", "b")
    fourth = step(held("c"), held("a", "unchanged"), runs=(RUN_1, counted))
    assert outcomes(first, second, third, fourth) == {
        *(added("1", "a", "b") | added("2", "c")),
        ("2", "b", "vanished", "removed", "succeeded"),
    }


# S5: as of the last reading, and all of them once there is a later run.
def test_deleted_rows() -> None:
    rows = (held("a", "unchanged"), held("b", status="failed"), held("c"), held("c"))
    steps = [step(*rows)]
    for content, expected in (
        (step(*rows), (3, 0, 1)),
        # not read
        (step(), (3, 0, 1)),
        # b is gone; the row of a is dropped, so it is no row of the source
        (step(held("a", "unchanged"), held("c", "changed")), (3, 2, 0)),
        # c vanished, which no source has ever said
        (step(held("a", "unchanged"), held("b")), (3, 1, 0)),
        (step(held("a", "unchanged"), held("b"), runs=(RUN_1, RUN_2_GOES_ON)), (3, 3, 0)),
    ):
        steps.append(content)
        assert counts(*steps) == expected


def test_a_run_with_vanished_rows() -> None:
    steps = (step(held("a")), step(held("b"), held("b"), held("a", None), runs=(RUN_1, RUN_2)))
    assert counts(*steps, run="2") == (1, 0, 1)
    gone = (steps[0], step(held("b"), runs=(RUN_1, RUN_2)))
    assert counts(*gone, run="2") == (2, 0, 0)
