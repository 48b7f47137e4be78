"""Random histories of Writeback and RudderStack: they are hard, and the rules decide them."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from oracle import random_rudderstack as rudderstack
from oracle import random_writeback as writeback
from oracle.answers_facts import facts_of
from oracle.hightouch import RunId
from oracle.random_rudderstack import random_rudderstack
from oracle.random_steps import SyncLogShape
from oracle.random_writeback import random_writeback
from oracle.rows import COLUMNS, Row
from oracle.source_history import (
    SourceHistory,
    expected_answers,
    expected_log_ids,
    expected_syncs,
    expected_tables,
)
from oracle.sync_log_table import SYNC_LOG, SentRow
from specification.hard_histories import Keys, check_types, features_of, keys_of

SEEDS = range(40)
GENERATORS = (random_writeback, random_rudderstack)
COMMON = (
    *("empty", "row that is not read", "id is a str", "id is a int", "same copies"),
    *("differing copies", "half a clean-up", "whole clean-up", "another status", "late row"),
    *("column comes", "column goes", "run that is not settled", "equal starts"),
    *("runs that overlap", "numbers out of order", "null key", "odd identifier"),
    *("record succeeded", "record failed", "record not_attempted", "record unknown"),
    *("unknown operation", "late start", "added succeeded", "added failed", "added aborted"),
    *("changed succeeded", "changed failed", "removed succeeded", "removed failed"),
)
FEATURES = {
    random_writeback: (
        *("copies logged at two times", "row that does not say when it was logged"),
        *("late row of an older batch", "batch without an end", "exit that a mirror run implies"),
        "ids of source and destination",
    ),
    random_rudderstack: ("run goes on", "run ends", "times in some rows of a run"),
}


@cache
def histories(generator: Callable[[int], SourceHistory]) -> list[SourceHistory]:
    return [generator(seed) for seed in SEEDS]


@pytest.mark.parametrize("generator", GENERATORS)
def test_every_feature_occurs(generator: Callable[[int], SourceHistory]) -> None:
    counted: Counter[str] = Counter()
    for history in histories(generator):
        counted.update(set(features_of(history)))
    rare = {name for name in (*COMMON, *FEATURES[generator]) if counted[name] < 2}
    assert not rare, counted


@pytest.mark.parametrize("generator", GENERATORS)
def test_tables_are_sound(generator: Callable[[int], SourceHistory]) -> None:
    for history in histories(generator):
        keys: set[object] = set()
        for index, step in enumerate(history.steps):
            check_types(step)
            keys |= {key for its_keys in keys_of(history, step).values() for key in its_keys}
            tables = expected_tables([history], index)
            assert len(tables["sync_records"]) == len(keys)
            for name, rows in tables.items():
                assert all(set(row) == set(COLUMNS[name]) for row in rows)
            expected_answers([history], index)
    assert len({one.source_name for one in histories(generator)}) == len(SEEDS)
    assert generator(7) == generator(7)


# The rules order the rows of a record in a run, because these end at different times.
@pytest.mark.parametrize("generator", GENERATORS)
def test_rows_have_an_order(generator: Callable[[int], SourceHistory]) -> None:
    for history in histories(generator):
        for run in history.runs_after(len(history.steps) - 1):
            ends = Counter((one.identifier, one.row.batch_ended_at) for one in run.attempts)
            assert all(count == 1 for (key, _), count in ends.items() if key is not None)


# The rules choose one of the rows of a key, because those that they compare alike are the same.
@pytest.mark.parametrize("generator", GENERATORS)
def test_copies_have_an_order(generator: Callable[[int], SourceHistory]) -> None:
    for history in histories(generator):
        for step in history.steps:
            for keys in keys_of(history, step).values():
                for copies in keys.values():
                    compared = {(row.logged_at, texts_of(row)) for row in copies}
                    assert len(compared) == len(set(copies))
                    assert len({row.logged_at is None for row in copies}) == 1


# A build reads a run again if one of these has changed, so nothing else may change alone.
@pytest.mark.parametrize("generator", GENERATORS)
def test_changes_can_be_seen(generator: Callable[[int], SourceHistory]) -> None:
    for history in histories(generator):
        for before, after in zip(history.steps, history.steps[1:], strict=False):
            columns = before.tables[SYNC_LOG].columns.keys() ^ after.tables[SYNC_LOG].columns.keys()
            if columns - {"some_extra"}:
                continue
            runs_before, runs_after = (keys_of(history, step) for step in (before, after))
            for run_id in runs_before.keys() & runs_after.keys():
                if contents(runs_before[run_id]) != contents(runs_after[run_id]):
                    assert fingerprint(runs_before, run_id) != fingerprint(runs_after, run_id)


def contents(keys: Keys) -> "Counter[SentRow]":
    return Counter(row for copies in keys.values() for row in copies)


def fingerprint(runs: dict[RunId, Keys], run_id: RunId) -> set[object]:
    """Return what is there an odd number of times: pairs of equal rows are seen by number only."""
    counted = contents(runs[run_id])
    narrow = Counter((row.key, *texts_of(row)[:2]) for row in counted.elements())
    times = [row.logged_at for row in counted if row.logged_at]
    odd: set[object] = {one for one, count in narrow.items() if count % 2}
    return odd | {counted.total(), max(times, default=None)}


def texts_of(row: SentRow) -> tuple[str | None, ...]:
    logged = row.logged
    return logged.status, logged.status_message, logged.record_payload


@pytest.mark.parametrize(
    ("shapes", "generator"),
    [(writeback.SHAPES, random_writeback), (rudderstack.SHAPES, random_rudderstack)],
)
def test_shapes(shapes: Sequence[SyncLogShape], generator: Callable[[int], SourceHistory]) -> None:
    assert len({shape.name for shape in shapes}) == len(shapes)
    for number, shape in enumerate(shapes):
        steps = generator(number).steps
        columns = {name for step in steps for name in step.tables[SYNC_LOG].columns}
        assert set(shape.columns) <= columns
        kinds = {step.tables[SYNC_LOG].columns["sync_run_id"] for step in steps}
        assert kinds == {"bigint" if shape.has_integer_ids else "string"}


# All types fit into one warehouse. Only rows of Writeback have ids of their vendor.
def test_all_types_together() -> None:
    ours = [*histories(random_writeback)[:3], *histories(random_rudderstack)[:3]]
    tables = expected_tables(ours, 9)
    assert {row["vendor"] for row in tables["sync_runs"]} == {"census", "rudderstack"}
    assert len([facts_of(sync) for sync in expected_syncs(ours, 9)]) > len(ours)
    found: list[Row] = expected_log_ids(ours, 9)
    sent = [row for row in tables["sync_log"] if row["vendor"] == "census"]
    assert len(found) == len(sent)


# With other arguments, only hashes decide the order of rows, and pairs of rows change at once.
def test_options() -> None:
    several = random_rudderstack(3, has_several_operations=True)
    attempts = [(run.key, one) for run in several.runs_after(9) for one in run.attempts]
    assert len(attempts) > len({(key, one.identifier) for key, one in attempts})
    doubled = [random_rudderstack(seed, has_doubled_changes=True) for seed in SEEDS]
    assert any(
        is_seen_by_number_only(history, index)
        for history in doubled
        for index in range(1, len(history.steps))
    )


def is_seen_by_number_only(history: SourceHistory, index: int) -> bool:
    before, after = (keys_of(history, history.step(step)) for step in (index - 1, index))
    return any(
        contents(before[run]) != contents(after[run])
        and fingerprint(before, run) == fingerprint(after, run)
        for run in before.keys() & after.keys()
    )
