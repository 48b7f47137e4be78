"""The tables of a built warehouse, compared with their independent computation."""

from collections.abc import Mapping

from conftest import Warehouse
from oracle import ANSWER_COLUMNS, ErrorRule, differences, read_answer
from oracle.answers import Rules
from oracle.retention import COLUMNS

Rows = list[dict[str, object]]
MOST_LINES = 5
# Columns that the specification leaves open for a run that is too late.
OPEN_IF_TOO_LATE = ("status", "is_settled")


def rules_of(built: Warehouse) -> Rules:
    """The rules that classify errors in the warehouse."""
    return tuple(ErrorRule(**row) for row in built.rows("error_categories"))


def answers_differing(
    expected: Mapping[str, Rows], tables: Mapping[str, Rows]
) -> dict[str, list[str]]:
    """The answers that differ from the expected ones, each with its first differences."""
    found = {
        table: differences(expected[table], [read_answer(row) for row in tables[table]], columns)
        for table, columns in ANSWER_COLUMNS.items()
        if table in tables
    }
    return {table: lines[:MOST_LINES] for table, lines in found.items() if lines}


def differing_tables(
    expected: Mapping[str, Rows],
    tables: Mapping[str, Rows],
    columns: dict[str, tuple[str, ...]] = COLUMNS,
) -> dict[str, list[str]]:
    """The tables that differ from the expected ones, each with its first differences."""
    found = {
        table: differing(table, expected[table], rows, columns) for table, rows in tables.items()
    }
    return {table: lines for table, lines in found.items() if lines}


def differing(
    table: str, expected: Rows, rows: Rows, columns: dict[str, tuple[str, ...]] = COLUMNS
) -> list[str]:
    """How the rows of a built table differ from the expected rows, in a few lines."""
    # the changelog has the place of its row in its id
    place = ("file_name", "row_index") if table == "sync_changelog" else ()
    shown = [column for column in columns[table] if column not in place]
    return differences(expected, [_comparable(row) for row in rows], shown)[:MOST_LINES]


def _comparable(row: dict[str, object]) -> dict[str, object]:
    if not row.get("is_too_late"):
        return row
    return row | dict.fromkeys(OPEN_IF_TOO_LATE)
