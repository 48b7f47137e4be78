"""The rules of alerts that compare runs with others (docs/answers.md): expected values by hand."""

from typing import Any

import pytest

from oracle import AlertRule
from oracle.alert_values import Measured, values_of
from oracle.alerts_measured import MeasuredRun
from oracle.answers_alerts import sync_alerts
from oracle.answers_facts import facts_of
from oracle.building import at, batch, row
from oracle.building_hightouch import logged, ran, seen, syncs_in
from oracle.lake import BatchFile
from specification.small_alerts import alerts, run_of, values
from specification.small_lake_answers import AS_OF, Metadata, from_to, picked

MILLION = 1_000_000


def runs_planning(*counts: int) -> list[MeasuredRun]:
    return [MeasuredRun(f"{n}", planned_count=count) for n, count in enumerate(counts, start=1)]


def runs_lasting(*runs: float | tuple[float | None, int] | None) -> list[MeasuredRun]:
    """Runs of these seconds, and perhaps numbers of rows."""
    found = []
    for n, one in enumerate(runs, start=1):
        seconds, planned = one if isinstance(one, tuple) else (one, 0)
        microseconds = None if seconds is None else int(seconds * MILLION)
        found.append(MeasuredRun(f"{n}", planned_count=planned, microseconds=microseconds))
    return found


# The last run after others: its value, or none, and what the minimum is of.
@pytest.mark.parametrize(
    ("before", "planned", "expected"),
    [
        # a deviation of 0 counts as 1; from a third to three times is no distance
        ((100,) * 10, 301, Measured(201.0, 301)),
        ((100,) * 10, 300, Measured(0.0, 300)),
        ((100,) * 10, 34, Measured(0.0, 100)),
        ((100,) * 10, 33, Measured(67.0, 100)),
        ((100,) * 9, 500, Measured(None)),
        ((0,) * 6 + (50,) * 5, 500, Measured(None, 500)),
        # the median is 105, the deviations are 5 five times and 15 five times
        ((90, 100, 110, 120, 100, 110, 90, 110, 90, 120), 405, Measured(30.0, 405)),
        # the last 20 of 25
        ((9000,) * 5 + (200,) * 11 + (300,) * 9, 1000, Measured(800.0, 1000)),
        ((1,) * 5 + (200,) * 11 + (300,) * 9, 66, Measured(134.0, 200)),
        # the mean of the two in the middle: 150, and the deviation is 50
        ((100,) * 5 + (200,) * 5, 601, Measured(9.02, 601)),
        ((100,) * 5 + (200,) * 5, 33, Measured(2.34, 150)),
        # the smallest and the largest of them, not the median
        ((10,) + (100,) * 8 + (900,), 2700, Measured(0.0, 2700)),
        ((10,) + (100,) * 8 + (900,), 4, Measured(0.0, 100)),
        ((10,) + (100,) * 8 + (900,), 3, Measured(97.0, 100)),
        ((0,) + (100,) * 9, 0, Measured(0.0, 100)),
    ],
)
def test_record_count(before: tuple[int, ...], planned: int, expected: Measured) -> None:
    assert values_of("record_count", runs_planning(*before, planned))[-1] == expected


# With rows: planned ones, also aborted and invalid ones. Too few rows at a distance change nothing.
def test_record_count_of_rows() -> None:
    files = [run_of(n, 5) for n in range(1, 11)]
    assert values("record_count", *files, run_of(11, 99)) == []
    files.append(run_of(11, 20, 10, 30, 40))
    assert values("record_count", *files) == [("11", None, 95.0)]
    # no rows, and the median is 5: five deviations, but the larger of both is 5
    more: Any = {"metadata": {"12": from_to(at(12), at(12))}}
    assert values("record_count", *files, run_of(12), **more) == [("11", None, 95.0)]
    # four deviations; the usual number; as many again, which is no distance any more
    for planned in (1, 5, 100):
        assert values("record_count", *files, run_of(12, planned)) == [("11", "12", 95.0)]
    more["alert_rules"] = (AlertRule("record_count", "warning", None, 5),)
    assert values("record_count", *files, run_of(12), **more) == [("11", None, 5.0)]
    assert values("record_count", *files, run_of(12, 1), **more) == [("11", "12", 95.0)]


@pytest.mark.parametrize(
    ("before", "last", "expected"),
    [
        ((200,) * 10, 600, Measured(3.0, 600.0)),
        ((200,) * 9, 600, Measured(None)),
        ((200,) * 9 + (None, None), 600, Measured(None)),
        ((200,) * 9 + (None, 200), 600, Measured(3.0, 600.0)),
        ((200,) * 10, None, Measured(None)),
        ((0,) * 10, 600, Measured(None, 600.0)),
        # the last 20 that are known
        ((9,) * 5 + (100,) * 10 + (None,) * 9 + (300,) * 10, 650, Measured(3.25, 650.0)),
        # more rows than usual may last longer, in proportion; fewer may last as long
        (((200, 100),) * 10, (600, 200), Measured(1.5, 600.0)),
        (((200, 100),) * 10, (600, 150), Measured(2.0, 600.0)),
        (((200, 100),) * 10, (600, 50), Measured(3.0, 600.0)),
        (((200, 100),) * 10, (600, 0), Measured(3.0, 600.0)),
        # the median planned is 200 in those that are known, and 0
        (((200, 100),) * 5 + ((200, 300),) * 5, (600, 400), Measured(1.5, 600.0)),
        (((200, 100),) * 10 + ((None, 900),) * 20, (600, 200), Measured(1.5, 600.0)),
        (((9, 900),) * 9 + ((200, 100),) * 20, (600, 200), Measured(1.5, 600.0)),
        (((200, 0),) * 6 + ((200, 100),) * 5, (600, 900), Measured(3.0, 600.0)),
        (((0, 100),) * 10, (600, 200), Measured(None, 600.0)),
    ],
)
def test_duration(before: Any, last: Any, expected: Measured) -> None:
    assert values_of("duration", runs_lasting(*before, last))[-1] == expected


# From the reported start, or else that of the first batch, to the finish or the last batch's end.
def test_duration_of_rows() -> None:
    def lasting(number: int, minutes: int) -> BatchFile:
        start = number * 100
        rows = [row("a", "upsert", "succeeded", started=start + 1, ended=start + minutes)]
        first = row("b", "upsert", "succeeded", started=start, ended=start + 1)
        return batch(f"{number}", first, *rows)

    files = [lasting(n, 3) for n in range(1, 11)]
    for minutes, value in ((9, None), (10, 10 / 3)):
        expected = [("11", None, value)] if value else []
        assert values("duration", *files, lasting(11, minutes)) == expected
    metadata: Metadata = {"11": from_to(at(1080), at(1095))}
    assert values("duration", *files, lasting(11, 3), metadata=metadata) == [("11", None, 5.0)]
    # three times as long as usual, but less than the minimum; then not as long
    files.append(lasting(11, 10))
    assert values("duration", *files, lasting(12, 9)) == [("11", None, 10 / 3)]
    assert values("duration", *files, lasting(12, 8)) == [("11", "12", 10 / 3)]
    assert values("duration", *files, lasting(12, 9), lasting(13, 3)) == [("11", "13", 10 / 3)]


def deleting(number: int, succeeded: int, rejected: int = 0, *, first: int = 0) -> BatchFile:
    return run_of(number, succeeded, rejected, operation="delete", first=first)


# Members before the run are 100, in two runs.
MEMBERS = (run_of(1, 60), run_of(2, 40, first=60))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ((*MEMBERS, deleting(3, 30)), [("3", None, 0.3)]),
        ((*MEMBERS, deleting(3, 29)), []),
        # too few members
        ((MEMBERS[0], deleting(3, 60)), []),
        # exits that a replacing run implies
        ((*MEMBERS, run_of(3, 70, operation="mirror")), [("3", None, 0.3)]),
        ((*MEMBERS, run_of(3, 71, operation="mirror")), []),
        # a rejected delete is no exit
        ((*MEMBERS, deleting(3, 29, 9)), []),
        # 80 late starts that leave; then also 29 and 30 of the 100 members
        ((*MEMBERS, deleting(3, 80, first=100)), []),
        ((*MEMBERS, deleting(3, 109, first=71)), []),
        ((*MEMBERS, deleting(3, 110, first=70)), [("3", None, 0.3)]),
        # they do not make up for members that are too few
        ((MEMBERS[0], deleting(3, 100, first=20)), []),
        # late starts that stay are members: 50 deletes were rejected, and 45 of 150 leave
        ((*MEMBERS, deleting(3, 0, 50, first=100), deleting(4, 45)), [("4", None, 0.3)]),
        # and if such late starts leave in a later run, they count
        ((*MEMBERS, deleting(3, 0, 50, first=100), deleting(4, 45, first=100)), [("4", None, 0.3)]),
        # 70 are left, fewer than the minimum: 21 exits of them are enough to stay, 20 are not
        ((*MEMBERS, deleting(3, 30), deleting(4, 21, first=30)), [("3", None, 0.3)]),
        ((*MEMBERS, deleting(3, 30), deleting(4, 20, first=30)), [("3", "4", 0.3)]),
        ((*MEMBERS, deleting(3, 30), run_of(4, 1)), [("3", "4", 0.3)]),
        # nobody is left: no value
        ((*MEMBERS, deleting(3, 100), run_of(4, 1)), [("3", None, 1.0)]),
        ((*MEMBERS, deleting(3, 100), run_of(4, 1), run_of(5, 1)), [("3", "5", 1.0)]),
    ],
)
def test_mass_removal(files: tuple[BatchFile, ...], expected: list[Any]) -> None:
    assert values("mass_removal", *files) == expected


# A log that begins with deletes of records that it has not shown: no members, and no value.
def test_a_log_that_begins_with_deletes() -> None:
    gone = [deleting(n, 200, first=200 * n) for n in range(1, 4)]
    assert alerts(*gone) == []
    # then 100 records are sent, and 30 of them leave
    files = [*gone, run_of(4, 100), deleting(5, 30)]
    assert values("mass_removal", *files) == [("5", None, 0.3)]
    # the level stays without a value: 70 members are too few, and then nobody is left
    files.append(deleting(6, 70, first=30))
    files.append(deleting(7, 200, first=900))
    assert values("mass_removal", *files) == [("5", None, 0.3)]


# Entries of a run that is not settled are entries.
def test_members_of_a_run_that_is_not_settled() -> None:
    rows = [row(f"{n:04}", "mirror", "succeeded", started=1) for n in range(100)]
    found = values("mass_removal", batch("1", *rows), deleting(2, 30))
    assert found == [("2", None, 0.3)]


# Rows that add: inserts, and those of records that were not in. 100 were in before.
@pytest.mark.parametrize(
    ("second", "value"),
    [
        (run_of(2, 100, operation="insert", first=50), 0.5),
        (run_of(2, 99, operation="insert", first=50), None),
        (run_of(2, 100, operation="insert", first=51), None),
        # upserts of records that were in change
        (run_of(2, 100), None),
        (run_of(2, 100, operation="append"), None),
        # rejected rows were attempted, aborted ones not
        (run_of(2, 50, 50, operation="insert"), 1.0),
        (run_of(2, 99, 0, 0, 1, operation="insert"), None),
    ],
)
def test_full_resync(second: BatchFile, value: float | None) -> None:
    expected = [("2", None, value)] if value else []
    assert values("full_resync", run_of(1, 100), second) == expected


# Fewer rows that add end it unless they were in before, or there are none.
@pytest.mark.parametrize(
    ("third", "end"),
    [
        (run_of(3, 99, operation="insert"), None),
        # records 100 to 149 were in, others not: half of the rows, and fewer
        (run_of(3, 20, operation="insert", first=140), None),
        (run_of(3, 21, operation="insert", first=140), "3"),
        (run_of(3, 1, first=500), "3"),
        (run_of(3, 20), None),
        (run_of(3, 0, aborted=20), None),
    ],
)
def test_few_rows_that_add(third: BatchFile, end: str | None) -> None:
    files = (run_of(1, 100), run_of(2, 100, operation="insert", first=50))
    assert values("full_resync", *files, third) == [("2", end, 0.5)]


# What a source reports as op_type is kept, whatever was in.
def test_full_resync_of_what_a_source_reports() -> None:
    rows = [logged(run, f"{n}") for run in "12" for n in range(100)]
    (found,) = alerts_in(*rows, runs=(ran("1", 1, 2), ran("2", 3, 4)))
    assert picked([found], "rule opened_sync_run_id value") == [("full_resync", "2", 1.0)]


def alerts_in(*rows: Any, runs: tuple[Any, ...]) -> list[dict[str, Any]]:
    (sync,) = syncs_in(seen(*rows, runs=runs))
    return sync_alerts([facts_of(sync)], AS_OF)


# Reported counts that differ from the log.
@pytest.mark.parametrize(
    ("planned", "word", "is_incomplete"),
    [(1, "succeeded", False), (2, "succeeded", True), (0, "succeeded", True), (0, "failed", True)],
)
def test_a_log_that_is_not_complete(planned: int, word: str, is_incomplete: bool) -> None:
    counted = {f"num_planned_{one}": 0 for one in ("change", "remove")}
    runs = (
        ran("1", 1, 2, num_planned_add=1, **counted),
        ran("2", 3, 4, num_planned_add=planned, **counted),
    )
    found = alerts_in(logged("1", "a"), logged("2", "b", status=word), runs=runs)
    rules = [one["rule"] for one in found]
    assert ("incomplete_log" in rules) == is_incomplete
