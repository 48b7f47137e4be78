"""Snapshots of Hightouch that are read again, or no longer: expected values worked out by hand."""

from oracle.building import at
from oracle.building_hightouch import held, ran
from specification.small_snapshots import (
    RUN_1,
    RUN_2,
    RUN_2_GOES_ON,
    added,
    counts,
    exits,
    outcomes,
    step,
)


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
        ("1", "a", "unchanged", "changed", "succeeded"),
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


# S5: as of the last reading, and all of them if the snapshot of the run is not found now.
def test_deleted_rows() -> None:
    rows = (held("a", "unchanged"), held("b", status="failed"), held("c"), held("c"))
    steps = [step(*rows)]
    for content, expected in (
        (step(*rows), (3, 0, 1)),
        # not found, so nothing of it is there
        (step(), (3, 3, 1)),
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
