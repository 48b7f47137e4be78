"""Purged records: expected values worked out by hand."""

import pytest

from oracle.building import batch, lake_of, row, sent
from oracle.retention import Purge
from specification.small_retention import (
    AS_OF,
    THREE,
    before,
    built,
    flagged,
    identifiers,
    rows_of,
    run_row,
)


def test_a_purged_record_looks_as_if_it_was_never_logged() -> None:
    for lake in (lake_of(*THREE), lake_of(sent("4", 4, "a", "d"))):
        purged = built(*THREE).after_purge(Purge("o", "a"))
        assert identifiers(purged, "sync_snapshot") == ["b", "c"]
        assert identifiers(purged, "audience_memberships") == ["b", "c"]
        assert identifiers(purged, "sync_records", "identifier") == ["b", "c"]
        assert identifiers(purged, "sync_log", "record_identifier") == ["b", "c"]
        assert identifiers(purged, "sync_changelog") == ["b", "c"]
        rebuilt = purged.built(lake, AS_OF)
        assert "a" not in identifiers(rebuilt, "sync_records", "identifier")
        # run 1 now has no records, and run 3 has lost one of two
        assert run_row(rebuilt, "1")["num_planned_add"] == 0
        assert run_row(rebuilt, "1")["order_at"] is None
        assert run_row(rebuilt, "3")["num_planned_add"] == 1


def test_the_rows_next_to_a_purged_one_keep_their_positions() -> None:
    purged = built(sent("1", 1, "a", "b")).after_purge(Purge("o", "a"))
    (left,) = rows_of(purged.built(), "sync_records")
    assert (left["identifier"], left["row_index"]) == ("b", 1)


@pytest.mark.parametrize("alike", ["A", " a", "a ", "\u0430", "a\u0301", ""])
def test_a_purge_compares_bytes(alike: str) -> None:
    retained = built(sent("1", 1, "a", alike, None)).after_purge(Purge("o", alike))
    assert identifiers(retained, "sync_snapshot") == ["a"]
    left = [row["identifier"] for row in rows_of(retained.built(), "sync_records")]
    assert left == ["a", None]


def test_a_purge_stays_in_its_scope() -> None:
    files = [
        sent("1", 1, "a", organization=organization, sync=sync)
        for organization in ("o", "p")
        for sync in ("s", "t")
    ]

    def left(purge: Purge) -> list[tuple[str, str]]:
        rows = rows_of(built(*files).after_purge(purge).built(), "sync_records")
        return sorted((row["organization_id"], row["sync_id"]) for row in rows)

    assert left(Purge("o", "a")) == [("p", "s"), ("p", "t")]
    assert left(Purge("o", "a", "t")) == [("o", "s"), ("p", "s"), ("p", "t")]


# The counts of a pruned run stay frozen, with or without the purged record.
def test_a_purge_before_a_prune_and_after_it() -> None:
    earlier = built(*THREE).after_purge(Purge("o", "a")).built()
    earlier = earlier.after_prune(before(4)).built()
    later = built(*THREE).after_prune(before(4)).after_purge(Purge("o", "a")).built()
    for table in ("sync_snapshot", "audience_memberships"):
        assert identifiers(earlier, table) == identifiers(later, table) == ["b", "c"]
    assert run_row(earlier, "3")["num_planned_add"] == 1
    assert run_row(later, "3")["num_planned_add"] == 1
    assert run_row(later, "3")["num_planned_change"] == 1
    assert run_row(later, "1")["num_planned_add"] == 1
    # without its only record, run 1 has no time: it is last and does not block the runs before it
    assert flagged(earlier, "is_pruned") == ["2", "3"]
    assert flagged(later, "is_pruned") == ["1", "2", "3"]


# The purged row was the only aborted one. Without it, run 2 replaces the object and `b` leaves.
def test_a_purge_may_make_a_run_a_replacing_one() -> None:
    files = (
        sent("1", 1, "b"),
        batch(
            "2",
            row("a", "mirror", "aborted", ended=2),
            row("c", "mirror", "succeeded", ended=2),
        ),
    )
    purge = Purge("o", "a")
    open_members = [
        [row["row_id"] for row in rows_of(one, "audience_memberships") if not row["exited_at"]]
        for one in (
            built(*files),
            built(*files).after_purge(purge).built(),
            # the effect of a pruned run on other records stays
            built(*files).after_prune(before(9)).after_purge(purge).built(),
        )
    ]
    assert [sorted(one) for one in open_members] == [["b", "c"], ["c"], ["b", "c"]]
