"""Seeded random fact tables of Writeback: late, repeated, renamed and lost rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from .names import FACT_COLUMNS, NAME_COLUMNS
from .random_ids import SourceId
from .random_steps import Version, present, table_of
from .random_writeback_rows import IDS
from .rows import Row
from .source_history import SourceTable

# Runs have some of these ids; others only look like them.
TEXT_IDS = (*(one for one in IDS if one is not None), "09", "D-1", "d-2", "two\nlines")
NUMBER_IDS = (9, 10, 11, 2**53 + 1)
# Bytes order the last two in another way than UTF-16 does.
NAMES = ("Leads", "leads", "Gr\u00fc\u00dfe", "", "o'brien's", 'a "b"\n\\', "\uff5e", "\U0001f600")
TYPES = ("salesforce", "google sheets", "Salesforce", "", "o'brien's", "model")
PRESENCES = ("always", "always", "always", "later", "dropped", "gone between", "never")


@dataclass(frozen=True)
class FactShape:
    """Which steps have a table, which columns it has in each of them, and of what types."""

    # The columns without `id`; None where the table is missing.
    columns: tuple[tuple[str, ...] | None, ...]
    has_number_ids: bool
    has_number_models: bool


def random_facts(rng: Random, step_count: int) -> list[dict[str, SourceTable]]:
    """Create the fact tables of each step; tables that are missing are left out."""
    steps: list[dict[str, SourceTable]] = [{} for _ in range(step_count)]
    for table, columns in FACT_COLUMNS.items():
        shape = _shape(rng, columns, step_count)
        versions = _versions(rng, table, shape, step_count)
        types = _types(columns, shape)
        for step, its_columns in enumerate(shape.columns):
            if its_columns is not None:
                rows = present(versions, table, step)
                steps[step][table] = table_of(rng, ["id", *its_columns], types, rows)
    return steps


def random_text(rng: Random, texts: Sequence[str]) -> str | None:
    """Draw a name or a type, which is sometimes null."""
    return None if rng.random() < 0.25 else rng.choice(texts)


def _shape(rng: Random, columns: Sequence[str], step_count: int) -> FactShape:
    presence = rng.choice(PRESENCES)
    # Mostly in the first steps, because few builds take more.
    changed_at = min(rng.choice((1, 1, 2, 3)), step_count - 1)
    there = {
        "always": range(step_count),
        "later": range(changed_at, step_count),
        "dropped": range(changed_at),
        "gone between": [step for step in range(step_count) if step != changed_at],
        "never": range(0),
    }[presence]
    kept = [column for column in columns if rng.random() < 0.85]
    late = rng.choice((None, None, *kept))
    dropped = rng.choice((None, None, *kept))
    gone = [late if step < changed_at else dropped for step in range(step_count)]
    return FactShape(
        columns=tuple(
            tuple(column for column in kept if column != gone[step]) if step in there else None
            for step in range(step_count)
        ),
        has_number_ids=rng.random() < 0.5,
        has_number_models=rng.random() < 0.5,
    )


def _versions(rng: Random, table: str, shape: FactShape, step_count: int) -> list[Version]:
    ids: tuple[SourceId, ...] = NUMBER_IDS if shape.has_number_ids else TEXT_IDS
    versions: list[Version] = []
    # The first ids are those that runs have, and mostly they are there.
    for row_id in [one for one in ids if rng.random() < 0.7]:
        row: Row = {"id": row_id}
        since = 0 if rng.random() < 0.65 else rng.randrange(step_count)
        ways = ("stays", "stays", "changes", "changes", "vanishes", "comes back")
        way = rng.choice(ways) if since + 1 < step_count else "stays"
        until = step_count if way == "stays" else rng.randrange(since + 1, step_count)
        versions.append(Version(table, row | _content(rng, table, shape), since, until))
        if way == "changes":
            versions.append(Version(table, row | _content(rng, table, shape), until, step_count))
        if way == "comes back" and until + 1 < step_count:
            back = rng.randrange(until + 1, step_count)
            versions.append(Version(table, row | _content(rng, table, shape), back, step_count))
        if rng.random() < 0.25:
            versions += _copies(rng, versions[-1], table, shape)
    if rng.random() < 0.5:
        lost: Row = {"id": None, **_content(rng, table, shape)}
        versions.append(Version(table, lost, rng.randrange(step_count), step_count))
    return versions


def _copies(rng: Random, version: Version, table: str, shape: FactShape) -> list[Version]:
    """Draw other rows with the same id; they are equal, or differ in one column or in all."""
    copies = []
    for _ in range(rng.randint(1, 2)):
        other = _content(rng, table, shape)
        column = rng.choice(list(other))
        changed = rng.choice(({}, {column: other[column]}, other))
        copies.append(Version(table, version.row | changed, version.since, version.until))
    return copies


def _content(rng: Random, table: str, shape: FactShape) -> Row:
    ids: tuple[SourceId | None, ...] = (
        (7, 10, None) if shape.has_number_models else ("m1", "7", "10", None)
    )
    row: Row = {column: rng.choice(ids) for column in FACT_COLUMNS[table]}
    return row | {"name": random_text(rng, NAMES), "type": random_text(rng, TYPES)}


def _types(columns: Sequence[str], shape: FactShape) -> dict[str, str]:
    ids = "bigint" if shape.has_number_ids else "string"
    models = "bigint" if shape.has_number_models else "string"
    return dict.fromkeys(columns, models) | dict.fromkeys(NAME_COLUMNS, "string") | {"id": ids}
