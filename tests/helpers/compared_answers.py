"""The answers of a built warehouse, compared with their independent computation."""

from collections.abc import Mapping

from conftest import Warehouse
from oracle import ANSWER_COLUMNS, ErrorRule, differences, read_answer
from oracle.answers import Rules

Rows = list[dict[str, object]]
MOST_LINES = 5


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
    }
    return {table: lines[:MOST_LINES] for table, lines in found.items() if lines}
