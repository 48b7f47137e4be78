"""The pages of tables and of questions, as markdown."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from textwrap import fill

from .manifest import FOLDERS, Analysis, Column, Table

WRITTEN = "Written by `make docs`."
# a column of at least so many tables is on the index, if it means the same in all of them
MANY_TABLES = 5
WIDTH = 120
NEVER_NULL = re.compile(r"\s*\bNever null\.(?=\s|$)")


def common_columns(tables: Iterable[Table]) -> tuple[Column, ...]:
    """The columns that mean the same in many tables, the most frequent first."""
    counts = Counter(column for table in tables for column in table.columns)
    return tuple(column for column, count in counts.most_common() if count >= MANY_TABLES)


def table_page(
    table: Table, analyses: list[Analysis], output: str, common: tuple[Column, ...] = ()
) -> str:
    """The page of one table, with the output of its example. The index has the common columns."""
    parts = [
        f"# {table.name}",
        f"**{table.question}**",
        filled(table.description),
        "## Columns",
        "Never null unless stated.",
        _columns(one for one in table.columns if one not in common),
    ]
    elsewhere = ", ".join(f"`{one.name}`" for one in table.columns if one in common)
    if elsewhere:
        parts.append(filled(f"[Common columns](README.md#common-columns): {elsewhere}."))
    parts += [
        "## Example from the demo",
        f"```sql\n{table.example}\n```",
        f"```text\n{output}\n```",
    ]
    if table.pitfalls:
        parts += ["## Pitfalls", "\n".join(filled(f"- {one}", "  ") for one in table.pitfalls)]
    links = [f"[{one.name}](../../analyses/{one.name}.sql)" for one in _reading(table, analyses)]
    if links:
        parts += ["## Queries to adapt", filled(", ".join(links))]
    parts.append("[All tables](README.md)")
    return _page(parts)


def index_page(tables: list[Table], common: tuple[Column, ...] = ()) -> str:
    """The index: which table answers which question, and the columns that many tables have."""
    parts = [
        "# Which table answers what?",
        filled("""
            Each page has queries to adapt; [questions](../questions.md) has all of them with their
            outputs. For the exact meaning of the numbers, see [answers](../answers.md) and
            [semantics](../semantics.md).
        """),
    ]
    for folder, title in FOLDERS.items():
        rows = [
            f"| {_cell(table.question)} | [{table.name}]({table.name}.md) |"
            for table in tables
            if table.folder == folder
        ]
        parts += [f"## {title}", "\n".join(["| question | table |", "|---|---|", *rows])]
    parts += [
        "## Common columns",
        "The pages of the tables only name these. Never null unless stated.",
        _columns(common),
    ]
    return _page(parts)


def questions_page(analyses: list[Analysis], outputs: Mapping[str, str]) -> str:
    """Every query to adapt, with its output."""
    parts = [
        "# Questions",
        filled("""
            Each question has one query in `analyses/`, to copy and adapt: its values are at the
            top. In a clone, `dbt show --select <name>` runs it on your own lake. The outputs are
            the first rows on the demo's logs. All tables by question: [tables](tables/README.md).
        """),
    ]
    for folder, title in FOLDERS.items():
        here = [one for one in analyses if one.folder == folder]
        parts += [f"## {title}"] if here else []
        for one in here:
            parts += [
                f"### {one.name}",
                f"**{one.question}**",
                f"[Query](../analyses/{one.name}.sql), {_reads(one)}.",
                f"```text\n{outputs[one.name]}\n```",
            ]
    return _page([*parts, WRITTEN])


def filled(text: str, indent: str = "") -> str:
    """A paragraph, wrapped to lines that fit an editor; lines after the first one are indented."""
    return fill(
        " ".join(text.split()),
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _reads(analysis: Analysis) -> str:
    """What a query reads: documented tables, otherwise the macro that it shows."""
    if analysis.tables:
        return "on " + ", ".join(f"[{name}](tables/{name}.md)" for name in analysis.tables)
    return "with the macro " + ", ".join(f"`{name}`" for name in analysis.macros)


def _reading(table: Table, analyses: list[Analysis]) -> list[Analysis]:
    return [one for one in analyses if table.name in (one.table, *one.tables)]


def _columns(columns: Iterable[Column]) -> str:
    """A list of columns; those in sequence that mean the same share an item."""
    items = []
    for (data_type, meaning), same in groupby(columns, lambda one: (one.data_type, one.meaning)):
        names = ", ".join(f"`{one.name}`" for one in same)
        said = NEVER_NULL.sub("", meaning).strip()
        items.append(filled(f"- {names} ({data_type}): {said}", "  "))
    return "\n".join(items)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _page(parts: list[str]) -> str:
    return "\n\n".join(parts) + "\n"
