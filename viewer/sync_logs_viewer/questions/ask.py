"""A query with its values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
Value = str | int | bool | None


@dataclass(frozen=True)
class Query:
    """One query (the name of a SQL file in this folder) and the values of its arguments."""

    name: str
    values: tuple[tuple[str, Value], ...] = ()

    @property
    def sql(self) -> str:
        """The SQL, with `:name` where a value goes."""
        return _sql(self.name)

    @property
    def arguments(self) -> Mapping[str, Value]:
        """The values by argument name."""
        return dict(self.values)


def query(name: str, **values: Value) -> Query:
    """A query by the name of its file, with all of its values."""
    return Query(name, tuple(sorted(values.items())))


@cache
def _sql(name: str) -> str:
    return (FOLDER / f"{name}.sql").read_text("utf-8").strip()
