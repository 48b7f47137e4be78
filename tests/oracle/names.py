"""Names of what runs read and write: fact tables of a source, and a relation of the user's.

Everything here is for sources that are tables; the fact files of a lake are in `rows`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .history import Run
from .lake import FACT_TABLES, FactRow, as_text
from .rows import COLUMNS, SOURCE, Row, organization_key
from .sources import Source
from .values import null_first

# The documented table of each kind of row in the user's relation.
TABLE_OF_KIND = {
    "source_object": "source_objects",
    "destination": "destinations",
    "destination_object": "destination_objects",
}
# The kind of a row that names a sync.
SYNC = "sync"
KINDS = (*TABLE_OF_KIND, SYNC)

# The columns that a fact table has of its own, without `id`, in the order that decides.
FACT_COLUMNS: dict[str, tuple[str, ...]] = {
    "source_objects": (
        *("name", "type", "model_id", "business_object_id", "filter_segment_id", "cohort_id"),
    ),
    "destinations": ("name", "type"),
    "destination_objects": ("name", "type"),
}
NAME_COLUMNS = ("name", "type")

AnyRow = Mapping[str, object]
# The row of each id.
ById = dict[str, FactRow]


@dataclass(frozen=True)
class SourceNames:
    """What names the runs of one source, and fills its rows in the fact tables."""

    organization_id: str
    source: Source
    # What the fact tables of the source have ever had, by table.
    facts: Mapping[str, ById]
    # What the user's relation has now for the source, by kind.
    given: Mapping[str, ById]


def facts_after(contents: Iterable[Mapping[str, Iterable[AnyRow]]]) -> dict[str, ById]:
    """Return the facts that builds have seen which found these contents, one after another."""
    seen: dict[str, ById] = {table: {} for table in FACT_TABLES}
    for content in contents:
        for table in FACT_TABLES:
            # What the table has now is the new row. What it no longer has stays.
            seen[table] |= greatest_by_id(content.get(table, ()), FACT_COLUMNS[table])
    return seen


def given_names(rows: Iterable[AnyRow], organization_id: str) -> dict[str, ById]:
    """Return what the user's relation has for a source of this organisation, by kind."""
    rows = [row for row in rows if row.get("organization_id") in (None, organization_id)]
    return {
        kind: greatest_by_id([row for row in rows if row.get("kind") == kind], NAME_COLUMNS)
        for kind in KINDS
    }


def greatest_by_id(rows: Iterable[AnyRow], columns: Sequence[str]) -> ById:
    """Return one row for each id: the one whose columns are the greatest, the first one first.

    All values are texts, and what is missing is null. A row without an id is not read.
    """
    found: ById = {}
    for row in rows:
        row_id = as_text(row.get("id"))
        if row_id is None:
            continue
        read = {column: as_text(row.get(column)) for column in columns}
        kept = found.setdefault(row_id, read)
        if _rank(read, columns) > _rank(kept, columns):
            found[row_id] = read
    return found


def _rank(row: FactRow, columns: Sequence[str]) -> list[tuple[bool, bytes]]:
    return [null_first(row[column]) for column in columns]


def named_fact_rows(all_names: Iterable[SourceNames]) -> dict[str, list[Row]]:
    """Shape the rows of the three fact tables for some sources."""
    tables: dict[str, list[Row]] = {table: [] for table in FACT_TABLES}
    for names in all_names:
        for kind, table in TABLE_OF_KIND.items():
            # The source's own table decides, even if it says less.
            rows = {**names.given[kind], **names.facts[table]}
            tables[table] += [_fact_row(names, table, row_id, row) for row_id, row in rows.items()]
    return tables


def _fact_row(names: SourceNames, table: str, row_id: str, row: FactRow) -> Row:
    columns = [column for column in COLUMNS[table] if column not in SOURCE]
    return {
        **{column: row.get(column) for column in columns},
        **organization_key(names.organization_id, names.source),
        "id": row_id,
    }


def named(run: Run, names: SourceNames) -> Run:
    """Fill in the names of a run that its source does not report."""
    reported = run.metadata
    source_object_id, destination_id = reported.source_object_id, reported.destination_id
    return replace(
        run,
        metadata=replace(
            reported,
            model_name=_first_known(
                reported.model_name,
                value_of(names.facts["source_objects"], source_object_id, "name"),
                value_of(names.given["source_object"], source_object_id, "name"),
                value_of(names.given[SYNC], run.sync_id, "name"),
            ),
            destination_type=_first_known(
                reported.destination_type,
                value_of(names.facts["destinations"], destination_id, "type"),
                value_of(names.given["destination"], destination_id, "type"),
                value_of(names.given[SYNC], run.sync_id, "type"),
            ),
        ),
    )


def value_of(rows: ById, row_id: str | None, column: str) -> str | None:
    """Return a name or a type; None if nothing is known of the id."""
    return None if row_id is None else rows.get(row_id, {}).get(column)


def _first_known(*texts: str | None) -> str | None:
    return next((text for text in texts if text is not None), None)
