"""The documented tables and the queries to adapt, from dbt's manifest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PACKAGE = "sync_logs"
# folders of tables with their titles, in the order of the pages
FOLDERS = {
    "alerts": "Alerts",
    "errors": "Errors",
    "rules": "Rules for errors",
    "records": "Records and fields",
    "audiences": "Audiences",
    "activity": "Syncs over time",
    "syncs": "Logs and runs",
    "facts": "Names",
    "operations": "Builds and the lake",
}
ORDER = list(FOLDERS)


class IncompleteDocsError(Exception):
    """Something that a page needs is missing from its YAML."""


@dataclass(frozen=True)
class Column:
    """A column of a table, with its meaning."""

    name: str
    data_type: str
    meaning: str


@dataclass(frozen=True)
class Table:
    """A documented table."""

    name: str
    folder: str
    description: str
    question: str
    example: str
    pitfalls: tuple[str, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Analysis:
    """A query for users to adapt."""

    name: str
    question: str
    tables: tuple[str, ...]
    """Documented tables that it reads."""
    macros: tuple[str, ...]
    """Macros of the package that it calls."""
    table: str
    """The documented table whose question it is listed under."""
    folder: str
    """Folder of that table."""


def tables_of(manifest: Mapping[str, Any]) -> list[Table]:
    """All documented tables, in the order of folders, then by name."""
    tables = [
        _table(node)
        for node in ours(manifest["nodes"], "model").values()
        if node["fqn"][1] == "marts"
    ]
    return sorted(tables, key=lambda table: (ORDER.index(table.folder), table.name))


def analyses_of(manifest: Mapping[str, Any]) -> list[Analysis]:
    """All queries to adapt, in the order of folders, then by name."""
    folders = {table.name: table.folder for table in tables_of(manifest)}
    analyses = [_analysis(node, folders) for node in ours(manifest["nodes"], "analysis").values()]
    return sorted(analyses, key=lambda one: (ORDER.index(one.folder), one.name))


def ours(nodes: Mapping[str, Any], resource_type: str) -> dict[str, Mapping[str, Any]]:
    """Those of the manifest's nodes or macros that are of a type and of this package, by id."""
    return {
        unique_id: node
        for unique_id, node in nodes.items()
        if node["resource_type"] == resource_type and node["package_name"] == PACKAGE
    }


def _table(node: Mapping[str, Any]) -> Table:
    return Table(
        name=node["name"],
        folder=node["fqn"][2],
        description=_said(node, "description", node["description"]),
        question=_said(node, "config.meta.question", _meta(node).get("question")),
        example=_said(node, "config.meta.example", _meta(node).get("example")),
        pitfalls=tuple(_one_line(pitfall) for pitfall in _meta(node).get("pitfalls", [])),
        columns=tuple(_column(node, column) for column in node["columns"].values()),
    )


def _column(node: Mapping[str, Any], column: Mapping[str, Any]) -> Column:
    meaning = _said(node, f"description of {column['name']}", column["description"])
    if "null" not in meaning.lower():
        raise IncompleteDocsError(
            f"{node['name']}: its YAML does not say whether {column['name']} can be null; "
            "write when it is, or 'Never null.'"
        )
    return Column(column["name"], column["data_type"], _one_line(meaning))


def _analysis(node: Mapping[str, Any], folders: Mapping[str, str]) -> Analysis:
    read = [one.rsplit(".", 1)[1] for one in node["depends_on"]["nodes"]]
    tables = tuple(sorted({name for name in read if name in folders}))
    topic = _said(node, "config.meta.table", _meta(node).get("table"))
    if topic not in folders:
        raise IncompleteDocsError(f"{node['name']}: config.meta.table is {topic}, no such table")
    macros = tuple(
        sorted(
            one.rsplit(".", 1)[1]
            for one in node["depends_on"]["macros"]
            if one.startswith(f"macro.{PACKAGE}.")
        )
    )
    if not tables and not macros:
        raise IncompleteDocsError(f"{node['name']}: it reads no documented table; read one there")
    question = _said(node, "description", node["description"])
    return Analysis(node["name"], _one_line(question), tables, macros, topic, folders[topic])


def _meta(node: Mapping[str, Any]) -> Mapping[str, Any]:
    meta: Mapping[str, Any] = node["config"].get("meta") or {}
    return meta


def _said(node: Mapping[str, Any], what: str, value: object) -> str:
    text = str(value or "").strip()
    if not text:
        raise IncompleteDocsError(f"{node['name']}: its YAML has no {what}; write it there")
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())
