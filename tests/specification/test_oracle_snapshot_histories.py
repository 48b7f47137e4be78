"""Random histories of Hightouch's snapshots: they are hard, and the rules decide them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from oracle.hightouch import RUNS, SNAPSHOT, ChangelogRow, HightouchTables
from oracle.hightouch_snapshots import (
    after_build,
    is_outcome_of,
    known_of,
    last_runs_of,
    op_type_of,
    seen_in,
    source_rows_of,
)
from oracle.history import Run
from oracle.random_hightouch_snapshots import SHAPES, random_snapshots
from oracle.rows import COLUMNS, Row
from oracle.source_history import SourceHistory, expected_answers, expected_tables
from oracle.values import grouped

SEEDS = range(60)
# Those that are built, and the number of their steps that are.
BUILT_SEEDS = (139, 124, 68)
BUILT_STEPS = 3
FEATURES = (
    *("not ended", "other counts", "no rows", "no table", "has a changelog", "read first"),
    *("read again", "not changed", "same copies", "differing copies", "copies of two op_types"),
    *("unchanged and not known", "unchanged and known", "unchanged, not known, no status"),
    *("unchanged, not known, failed", "unknown word", "no row_id", "vanished", "back again"),
    *("changelog is gone", "snapshot, then changelog", "deleted row", "later run"),
    *("vanished in the run it came", "failed"),
)


def features_of(history: SourceHistory, step_count: int) -> Iterator[str]:
    contents = history.contents(step_count - 1)
    for index, content in enumerate(contents):
        seen = seen_in("o", contents[:index])
        now = after_build(seen, content)
        if SNAPSHOT not in content:
            yield "no table"
        if any(row["row_id"] is None for row in content.get(SNAPSHOT, ())):
            yield "no row_id"
        with_changelog = {key[0] for key in now.present}
        before = {key[0] for key in seen.present}
        for sync_id, run in last_runs_of(replace(now, rows={})).items():
            rows = source_rows_of(content, run)
            run_id = sync_id, run.sync_run_id
            if sync_id in with_changelog:
                yield "has a changelog"
                if any(one[0] == sync_id for one in seen.snapshots):
                    yield "snapshot, then changelog"
            elif not is_outcome_of(run, rows):
                yield from _why_not(run, rows)
            elif run_id in seen.snapshots and now.snapshots[run_id] == seen.snapshots[run_id]:
                yield "not changed"
            else:
                yield "read again" if run_id in seen.snapshots else "read first"
                if sync_id in before:
                    yield "changelog is gone"
                known = known_of(seen, sync_id)
                yield from _of_rows(rows, known.row_ids)
                yield from _of_copies(rows)
                back = {row.row_id for row in rows} & (known.row_ids - known.delivered)
                if back & delivered_of(now, sync_id):
                    yield "back again"
        for run_id, snapshot in now.snapshots.items():
            old = seen.snapshots.get(run_id)
            if snapshot.deleted:
                yield "deleted row"
            if old and old.is_found and not snapshot.is_found:
                yield "later run"
            for row_id, row in snapshot.rows.items():
                if row.op_type == "vanished":
                    yield "vanished"
                    if old and row_id in old.rows and old.rows[row_id].op_type != "vanished":
                        yield "vanished in the run it came"


def delivered_of(seen: HightouchTables, sync_id: str) -> frozenset[str]:
    return known_of(seen, sync_id).delivered


def _why_not(run: Run, rows: Sequence[ChangelogRow]) -> Iterator[str]:
    if not rows:
        yield "no rows"
    elif run.metadata.sync_run_finished_at is None and run.reported_status is None:
        yield "not ended"
    else:
        yield "other counts"


def _of_rows(rows: Sequence[ChangelogRow], known: frozenset[str]) -> Iterator[str]:
    for row in rows:
        if row.status == "failed" and op_type_of(row) != "unchanged":
            yield "failed"
        if op_type_of(row) != "unchanged":
            continue
        if str(row.op_type).strip().lower() != "unchanged":
            yield "unknown word"
        if row.row_id in known:
            yield "unchanged and known"
            continue
        yield "unchanged and not known"
        if row.status in (None, "failed"):
            yield f"unchanged, not known, {row.status or 'no status'}"


def _of_copies(rows: Sequence[ChangelogRow]) -> Iterator[str]:
    for its_copies in grouped(rows, lambda row: row.row_id).values():
        if len(its_copies) > 1:
            yield "same copies" if len(set(its_copies)) == 1 else "differing copies"
            if len({op_type_of(row) for row in its_copies}) > 1:
                yield "copies of two op_types"


def test_every_feature_occurs() -> None:
    counted: Counter[str] = Counter()
    for seed in SEEDS:
        history = random_snapshots(seed)
        counted.update(set(features_of(history, len(history.steps))))
    assert not {name for name in FEATURES if counted[name] < 3}, counted


# The few histories that are built have every feature.
def test_features_of_what_is_built() -> None:
    found = {name for s in BUILT_SEEDS for name in features_of(random_snapshots(s), BUILT_STEPS)}
    assert set(FEATURES) - found == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_tables_are_sound(seed: int) -> None:
    history = random_snapshots(seed)
    for index, step in enumerate(history.steps):
        for table in step.tables.values():
            assert all(set(row) == set(table.columns) for row in table.rows)
        tables = expected_tables([history], index)
        assert all(set(row) == set(COLUMNS[name]) for name in tables for row in tables[name])
        expected_answers([history], index)
        # A record has one row in a run, because the order of several is a hash.
        keys = Counter(map(_key, tables["sync_records"]))
        assert all(count == 1 for key, count in keys.items() if key[2] is not None)
        # Only who vanished left unseen.
        vanished = {_key(r) for r in tables["sync_records"] if r["operation"] == "vanished"}
        unseen = {
            (row["sync_id"], row["exited_sync_run_id"], row["row_id"])
            for row in tables["audience_memberships"]
            if row["exit_observed"] is False
        }
        assert vanished == unseen


# The op_type of copies is decided by what the rules compare.
@pytest.mark.parametrize("seed", SEEDS)
def test_copies_have_an_order(seed: int) -> None:
    history = random_snapshots(seed)
    for content in history.contents(len(history.steps)):
        for run in last_runs_of(seen_in("o", [content])).values():
            op_types: dict[ChangelogRow, set[str | None]] = {}
            for row in source_rows_of(content, run):
                op_types.setdefault(replace(row, op_type=None), set()).add(row.op_type)
            assert all(len(found) == 1 for found in op_types.values())


# One more look at the same content changes nothing, whatever its order.
@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_look(seed: int) -> None:
    history = random_snapshots(seed)
    contents = history.contents(len(history.steps))
    turned = {name: tuple(rows)[::-1] for name, rows in contents[-1].items()}
    assert seen_in("o", [*contents, turned]) == seen_in("o", contents)


def test_histories_are_reproducible() -> None:
    assert random_snapshots(7) == random_snapshots(7)
    assert len({random_snapshots(seed).source_name for seed in SEEDS}) == len(SEEDS)


def test_shapes() -> None:
    for number, shape in enumerate(SHAPES):
        tables = random_snapshots(number).steps[-1].tables
        assert set(shape.columns) <= tables[RUNS].columns.keys() | tables["sync_changelog"].columns
        ids = {type(row["sync_id"]) for row in tables[RUNS].rows}
        assert ids == {int if shape.has_integer_ids else str}


def _key(row: Row) -> tuple[object, ...]:
    return row["sync_id"], row["sync_run_id"], row["identifier"]
