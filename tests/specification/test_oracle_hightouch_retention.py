"""Prunes and purges of a Hightouch source: expected values worked out by hand."""

from oracle.building import at
from oracle.building_hightouch import logged, ran, seen
from oracle.hightouch import HightouchTables, merge, runs_of
from oracle.lake import Lake
from oracle.retention import Purge, Retained
from specification.small_retention import AS_OF, before, flagged, identifiers, rows_of

SOURCE = seen(
    *(logged("1", "a"), logged("1", "b"), logged("2", "a", "changed"), logged("3", "b", "removed")),
    runs=(ran("1", 10, 12), ran("2", 20, 22, num_planned_change=7), ran("3", 30, 32)),
)


def built(source: HightouchTables, before_it: Retained | None = None) -> Retained:
    return (before_it or Retained()).built(Lake(), AS_OF, other_runs=runs_of(source))


# Rows of pruned runs are removed. Counts, as reported, and state stay, also if the vendor cleans.
def test_a_prune() -> None:
    pruned = built(SOURCE).after_prune(before(25))
    again = built(merge(SOURCE, seen()), pruned)
    for found in (pruned, again):
        assert flagged(found, "is_pruned") == ["1", "2"]
        assert [row["sync_run_id"] for row in rows_of(found, "sync_changelog")] == ["3"]
        assert [row["num_planned_change"] for row in rows_of(found, "sync_runs")] == [0, 7, 0]
        assert rows_of(found, "audience_memberships") == rows_of(
            built(SOURCE), "audience_memberships"
        )


# A run ordered before a pruned one is too late: its counts are zero, also those that are reported.
def test_a_run_that_is_too_late() -> None:
    late = seen(logged("0", "c"), runs=(ran("0", 5, 6, num_planned_add=9),))
    found = built(merge(SOURCE, late), built(SOURCE).after_prune(before(25)))
    assert flagged(found, "is_too_late") == ["0"]
    assert [row["num_planned_add"] for row in rows_of(found, "sync_runs")] == [2, 0, 0, 0]
    assert identifiers(found, "audience_memberships") == ["a", "b"]


# A purged record was never logged; counts that the vendor reports are still its own.
def test_a_purge() -> None:
    purged = built(SOURCE).after_purge(Purge("o", "a"))
    found = built(SOURCE, purged)
    assert identifiers(found, "sync_changelog") == ["b", "b"]
    runs = rows_of(found, "sync_runs")
    assert [row["num_planned_add"] for row in runs] == [1, 0, 0]
    assert [row["num_planned_change"] for row in runs] == [0, 7, 0]
    assert [row["exited_at"] for row in rows_of(found, "audience_memberships")] == [at(32)]
