"""Compare tables as multisets of rows."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from .lake import as_utc

MOST_LINES = 10


def differences(
    expected: Iterable[dict[str, object]],
    actual: Iterable[dict[str, object]],
    columns: Sequence[str],
) -> list[str]:
    """Describe the rows that only one side has, in a few lines; return no lines if there are none.

    Times without a zone are UTC, and whole decimals are integers. A missing column is an error,
    not a null.
    """
    missing = Counter(_row_text(row, columns) for row in expected)
    surplus = Counter(_row_text(row, columns) for row in actual)
    common = missing & surplus
    lines = [*_lines("missing", missing - common), *_lines("surplus", surplus - common)]
    if lines:
        lines.insert(0, f"rows: expected {missing.total()}, actual {surplus.total()}")
    return lines


def _lines(label: str, rows: "Counter[str]") -> list[str]:
    lines = [f"{label} x{count}: {text}" for text, count in sorted(rows.items())]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"{label}: and {len(lines) - MOST_LINES} other rows"]
    return lines


def _row_text(row: dict[str, object], columns: Sequence[str]) -> str:
    return ", ".join(f"{column}={_value_text(row[column])}" for column in columns)


def _value_text(value: object) -> str:
    if isinstance(value, datetime):
        return as_utc(value).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, Decimal) and value == int(value):
        return repr(int(value))
    return repr(value)
