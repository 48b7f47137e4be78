"""A query with its values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
Value = str | int | bool | None


@dataclass(frozen=True)
class Query:
    """One query (the name of a SQL file in this folder) and the values of its arguments."""

    name: str
    values: tuple[tuple[str, Value], ...] = ()
    # a query over all syncs that has its rows
    part_of: "Part | None" = field(default=None, compare=False)
    # whether its result stays the same until the next build
    is_of_build: bool = field(default=True, compare=False)

    @property
    def sql(self) -> str:
        """The SQL, with `:name` where a value goes."""
        return _sql(self.name)

    @property
    def arguments(self) -> Mapping[str, Value]:
        """The values by argument name."""
        return dict(self.values)


@dataclass(frozen=True)
class Part:
    """A query over all syncs whose rows include those of another query, in the same order."""

    whole: Query
    # the values by which columns of the whole choose the rows
    chosen: tuple[tuple[str, Value], ...]
    # the whole has only this number of rows
    limit: int | None = None
    # whether the whole has only the newest rows of each sync
    may_be_cut: bool = False


def of_all_syncs(
    asked: Query, *columns: str, limit: int | None = None, may_be_cut: bool = False
) -> Query:
    """A query that can be answered from the same query without values for some columns.

    It stays as it is if one of these values is null already.
    """
    without = {name: None if name in columns else value for name, value in asked.values}
    chosen = tuple((name, value) for name, value in asked.values if name in columns)
    if None in dict(chosen).values():
        return asked
    whole = query(asked.name, **without)
    return replace(asked, part_of=Part(whole, chosen, limit, may_be_cut))


def query(name: str, **values: Value) -> Query:
    """A query by the name of its file, with all of its values."""
    return Query(name, tuple(sorted(values.items())))


@cache
def _sql(name: str) -> str:
    return (FOLDER / f"{name}.sql").read_text("utf-8").strip()
