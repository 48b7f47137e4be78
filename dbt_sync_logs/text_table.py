"""Small tables for a terminal."""

from collections.abc import Sequence
from datetime import datetime

WIDEST = 52


def text_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows under their column names, with cells cut to fit a terminal."""
    lines = [list(columns), *[[cell_text(value) for value in row] for row in rows]]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    numeric = [
        all(isinstance(row[index], int | float) or row[index] is None for row in rows)
        for index in range(len(columns))
    ]
    rule = "  ".join("-" * width for width in widths)
    texts = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    ]
    return "\n".join([texts[0], rule, *texts[1:]])


def cell_text(value: object) -> str:
    """One value in readable form: no microseconds, no line breaks, empty for null."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    text = " ".join(str(value).split())
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
