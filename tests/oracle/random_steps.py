"""Rows and columns of the tables of a source that come and go in the steps of a random history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from .random_words import DAY_ONE
from .rows import Row
from .source_history import SourceStep, SourceTable
from .sync_log_table import SYNC_LOG


@dataclass(frozen=True)
class Version:
    """A row and the steps in which it is in its table: from `since`, and before `until`."""

    table: str
    row: Row
    since: int
    until: int


@dataclass(frozen=True)
class SyncLogShape:
    """Which optional columns a table `sync_log` has, in all steps, at first or in the end."""

    name: str
    columns: tuple[str, ...]
    # Missing at first, or gone later.
    late_columns: tuple[str, ...] = ()
    dropped_columns: tuple[str, ...] = ()
    has_integer_ids: bool = False
    is_empty_at_first: bool = False


def as_of(step: int) -> datetime:
    """Return the time of the build after a step."""
    return DAY_ONE + timedelta(days=2, hours=step)


def arrival_of(rng: Random, position: int, run_count: int, step_count: int) -> int:
    """Draw the step in which a run comes: mostly in the order of the runs."""
    if rng.random() < 0.2:
        return rng.randrange(step_count)
    return position * step_count // run_count


def without_an_id(rng: Random, versions: list[Version], sync_column: str) -> Version:
    """Copy a row without an id of its sync or run: it is not read."""
    lost = rng.choice(versions)
    gone = rng.choice(({sync_column: None}, {"sync_run_id": None}))
    return replace(lost, row=lost.row | gone)


def cleaned(rng: Random, versions: list[Version], step_count: int) -> list[Version]:
    """Sometimes delete the rows of a run, or half of them, from some step on."""
    chance = rng.random()
    if chance > 0.3:
        return versions
    step = rng.randrange(1, step_count)
    share = 1.0 if chance < 0.15 else 0.5
    return [
        replace(one, until=step) if one.since < step < one.until and rng.random() < share else one
        for one in versions
    ]


def present(versions: list[Version], table: str, step: int) -> list[Row]:
    """List the rows that a table has in a step."""
    return [one.row for one in versions if one.table == table and one.since <= step < one.until]


def table_of(
    rng: Random,
    names: Sequence[str],
    types: Mapping[str, str],
    rows: list[Row],
) -> SourceTable:
    """Make a table with its columns and rows in any order, sometimes with one column more.

    Columns are texts if `types` says nothing else.
    """
    columns = list(names)
    if rng.random() < 0.2:
        columns.append("some_extra")
    rng.shuffle(columns)
    rows = [{column: row.get(column) for column in columns} for row in rows]
    rng.shuffle(rows)
    return SourceTable({column: types.get(column, "string") for column in columns}, tuple(rows))


def sync_log_steps(
    rng: Random,
    shape: SyncLogShape,
    versions: list[Version],
    step_count: int,
    *,
    needed: Sequence[str],
    types: Mapping[str, str],
) -> tuple[SourceStep, ...]:
    """Make the steps of a table `sync_log`, one of which brings all that its shape changes."""
    changed_at = rng.randrange(1, step_count)
    steps = []
    for step in range(step_count):
        gone = shape.dropped_columns if step >= changed_at else shape.late_columns
        columns = [column for column in shape.columns if column not in gone]
        is_empty = shape.is_empty_at_first and step < changed_at
        rows = [] if is_empty else present(versions, SYNC_LOG, step)
        table = table_of(rng, [*needed, *columns], types, rows)
        steps.append(SourceStep({SYNC_LOG: table}, as_of(step)))
    return tuple(steps)
