"""Rows that come to the tables of a source, change and go, in the steps of a random history."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from .random_words import DAY_ONE
from .source_history import SourceTable


@dataclass(frozen=True)
class Version:
    """A row and the steps in which it is in its table: from `since`, and before `until`."""

    table: str
    row: dict[str, object]
    since: int
    until: int


def as_of(step: int) -> datetime:
    """Return the time of the build after a step."""
    return DAY_ONE + timedelta(days=2, hours=step)


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


def present(versions: list[Version], table: str, step: int) -> list[dict[str, object]]:
    """List the rows that a table has in a step."""
    return [one.row for one in versions if one.table == table and one.since <= step < one.until]


def table_of(
    rng: Random,
    names: Sequence[str],
    sql_type: Callable[[str], str],
    rows: list[dict[str, object]],
) -> SourceTable:
    """Make a table with its columns and rows in any order, sometimes with one column more."""
    columns = list(names)
    if rng.random() < 0.2:
        columns.append("some_extra")
    rng.shuffle(columns)
    rows = [{column: row.get(column) for column in columns} for row in rows]
    rng.shuffle(rows)
    return SourceTable({column: sql_type(column) for column in columns}, tuple(rows))
