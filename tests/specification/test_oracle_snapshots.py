"""What is read of Hightouch's snapshots, rule by rule: expected values worked out by hand."""

import pytest

from oracle.building import at
from oracle.building_hightouch import held, logged, ran
from oracle.rows import Row
from specification.small_lake_answers import picked
from specification.small_snapshots import (
    RUN_1,
    RUN_2,
    RUN_3,
    added,
    after,
    counts,
    delivered,
    exits,
    outcomes,
    step,
)


# S2: it is like a row of the changelog of the run.
def test_a_row() -> None:
    row = held(7, " Changed", "FAILED", failed_reason="no", fields="{}", split_group="g")
    tables = after(step(row))
    (record,), (entry,) = tables["sync_records"], tables["sync_changelog"]
    assert picked([record], "identifier operation record_status") == [("7", " Changed", "failed")]
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
        *[("1", row_id, word, "changed", "succeeded") for row_id in "ab"],
        *[("1", "c", word, "added", "failed"), ("1", "d", word, "changed", "failed")],
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
        ("2", "d", "unchanged", "changed", "succeeded")
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
