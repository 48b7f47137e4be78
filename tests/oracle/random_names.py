"""Seeded random relations of names, as a user may fill them for some sources of tables."""

from collections.abc import Iterable, Sequence
from functools import partial
from random import Random

from .lake import as_text
from .names import KINDS, SYNC, TABLE_OF_KIND
from .random_facts import NAMES, TYPES, random_text
from .random_steps import Version, present, table_of
from .rows import Row
from .source_history import SourceHistory, SourceTable

NEEDED = ("kind", "id", "name", "type")
ORGANIZATION = "organization_id"
TABLE = "names"
# They are no kinds, though some are nearly one.
OTHER_KINDS = ("Source_Object", "sync ", "source_objects", "model", "", None)
IDS_OF_NOTHING = ("9", "12345", "", "o'brien's", "\U0001f600")


def random_names(seed: int, histories: Sequence[SourceHistory]) -> tuple[SourceTable, ...]:
    """Create the relation as of each step of the histories; the same seed gives the same one.

    Its rows are for ids that sources have or had, and for others. Some steps lack the column
    `organization_id`, so all of their rows are for all sources.
    """
    rng = Random(seed)
    step_count = max(len(history.steps) for history in histories)
    versions: list[Version] = []
    for history in histories:
        for kind, row_id in sorted(_ids_of(history)):
            if rng.random() < 0.5:
                organization = history.organization_id if rng.random() < 0.7 else None
                row: Row = {ORGANIZATION: organization, "kind": kind, "id": row_id}
                versions += _versions(rng, row, step_count)
    organizations = [None, "nobody", *(history.organization_id for history in histories)]
    for _ in range(10 + 2 * len(histories)):
        versions += _versions(rng, _odd_row(rng, organizations), step_count)
    # A step may have no rows, and some may lack the column.
    empty_step = rng.choice((None, None, *range(step_count)))
    steps_without = rng.choice(((), (0,), (1,), range(1, step_count)))
    return tuple(
        table_of(
            rng,
            [*NEEDED, *(() if step in steps_without else (ORGANIZATION,))],
            {},
            [] if step == empty_step else present(versions, TABLE, step),
        )
        for step in range(step_count)
    )


def names_in(tables: Sequence[SourceTable], step_index: int) -> SourceTable | None:
    """Return the relation as of a step; it stays as its last step left it, like a history."""
    return tables[min(step_index, len(tables) - 1)] if tables else None


def _ids_of(history: SourceHistory) -> set[tuple[str, str]]:
    """Collect what names can be for: kinds and ids of fact rows, of runs and of syncs."""
    found: set[tuple[str, str]] = set()
    for step in history.steps:
        for kind, table in TABLE_OF_KIND.items():
            rows = step.tables[table].rows if table in step.tables else ()
            found |= _texts(kind, (row.get("id") for row in rows))
    for run in history.runs_after(len(history.steps) - 1):
        found |= _texts("source_object", [run.metadata.source_object_id])
        found |= _texts("destination", [run.metadata.destination_id])
        found |= _texts("destination_object", [run.metadata.destination_object_id])
        found |= _texts(SYNC, [run.sync_id])
    return found


def _texts(kind: str, ids: Iterable[object]) -> set[tuple[str, str]]:
    return {(kind, text) for text in map(as_text, ids) if text is not None}


def _versions(rng: Random, row: Row, step_count: int) -> list[Version]:
    """Say when a row is there, and whether it changes, vanishes or is there more than once."""
    content = partial(_with_names, rng, row)
    since = 0 if rng.random() < 0.7 else rng.randrange(step_count)
    if since + 1 == step_count or rng.random() < 0.4:
        versions = [Version(TABLE, content(), since, step_count)]
    else:
        until = rng.randrange(since + 1, step_count)
        versions = [Version(TABLE, content(), since, until)]
        if rng.random() < 0.6:
            versions.append(Version(TABLE, content(), until, step_count))
    if rng.random() < 0.3:
        # Another candidate for the id, which may be for another organisation.
        copy = content() | rng.choice(({}, {ORGANIZATION: None}))
        versions.append(Version(TABLE, copy, versions[-1].since, versions[-1].until))
    return versions


def _with_names(rng: Random, row: Row) -> Row:
    return row | {"name": random_text(rng, NAMES), "type": random_text(rng, TYPES)}


def _odd_row(rng: Random, organizations: Sequence[str | None]) -> Row:
    """Draw a row that counts for nothing, or names something that no run has."""
    row: Row = {ORGANIZATION: rng.choice(organizations), "kind": rng.choice(KINDS)}
    row["id"] = rng.choice(IDS_OF_NOTHING)
    return row | rng.choice(({}, {"id": None}, {"kind": rng.choice(OTHER_KINDS)}))
