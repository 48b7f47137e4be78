"""Which schemas and relations exist, as the recorded statements have made them."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

RELATION = r"((?:`[^`]+`|[\w$]+)(?:\.(?:`[^`]+`|[\w$]+))*)"
CREATED = re.compile(
    rf"create (?:or replace )?(table|view)(?: if not exists)? {RELATION}(.*)", re.I | re.S
)
ANSWERS_NOTHING = re.compile(r"(create|drop|alter|insert|delete|vacuum|comment) ", re.I)


@dataclass
class Answer:
    """Columns, each a name and a type, and rows."""

    columns: list[tuple[str, str]]
    rows: list[tuple[Any, ...]] = field(default_factory=list)


def strings(*names: str) -> list[tuple[str, str]]:
    """Columns of strings."""
    return [(name, "string") for name in names]


@dataclass
class Relation:
    """A table or a view: its columns with their types, properties, loads and definition."""

    kind: str
    columns: list[tuple[str, str]] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    loads: set[str] = field(default_factory=set)
    definition: str = ""


def plain(name: str) -> str:
    """A name without quotes, in lower case."""
    return name.replace("`", "").lower()


class Catalog:
    """Follows statements that create, change and drop, and answers questions about the result."""

    def __init__(self) -> None:
        self.schemas: set[str] = set()
        self.relations: dict[str, Relation] = {}
        changes: list[tuple[str, Callable[..., None]]] = [
            (rf"create schema if not exists {RELATION}", self._create_schema),
            (rf"drop (?:table|view) (?:if exists )?{RELATION}", self._drop),
            (rf"alter (?:table|view) {RELATION} set tblproperties \((.*)\)", self._set_properties),
            (rf"alter table {RELATION} add columns \((.*)\)", self._add_columns),
            (
                rf"insert into {RELATION}\s+partition \((?:stored_)?load_id = '([^']*)'\)",
                self._insert,
            ),
            (rf"delete from {RELATION} where \w+ in \((.*)\)", self._delete),
        ]
        self._changes = [(re.compile(pattern, re.I | re.S), then) for pattern, then in changes]
        questions: list[tuple[str, Callable[..., Answer]]] = [
            (r"show schemas in \S+ like '([^']*)'", self._schemas_like),
            (r"show schemas in \S+$", self._all_schemas),
            (r"from `system`.`information_schema`.`tables`\s+where(.*)", self._tables),
            (rf"describe table extended {RELATION} as json", self._columns),
            (rf"show tblproperties {RELATION}", self._properties),
            (rf"show tables in {RELATION}", self._tables_in),
            (rf"describe schema extended {RELATION}", self._schema),
            (rf"^select distinct (?:stored_)?load_id from {RELATION}$", self._loads),
        ]
        self._questions = [(re.compile(pattern, re.I | re.S), then) for pattern, then in questions]

    def follow(self, sql: str) -> Answer | None:
        """What a statement about relations answers; none for a question about data."""
        created = CREATED.match(sql)
        if created:
            self._create(*created.groups())
        for pattern, then in self._changes:
            found = pattern.match(sql)
            if found:
                then(*found.groups())
        if ANSWERS_NOTHING.match(sql):
            return Answer(strings("result"))
        for pattern, answers in self._questions:
            found = pattern.search(sql)
            if found:
                return answers(*found.groups())
        return None

    def _create(self, kind: str, name: str, rest: str) -> None:
        if plain(name) in self.relations and "if not exists" in rest:
            return
        before = self.relations.get(plain(name))
        relation = Relation(kind.lower(), definition=rest)
        if before and before.kind == relation.kind == "table":
            relation.loads = before.loads
        head = re.match(r"\s*\((.*?)\)\s*using", rest, re.I | re.S)
        if head:
            relation.columns = _columns(head[1])
        properties = re.search(r"tblproperties\s*\((.*?)\)\s*as\s", rest, re.I | re.S)
        if properties:
            relation.properties = dict(re.findall(r"'([^']+)' = '([^']*)'", properties[1]))
        self.relations[plain(name)] = relation

    def _create_schema(self, name: str) -> None:
        self.schemas.add(plain(name))

    def _drop(self, name: str) -> None:
        self.relations.pop(plain(name), None)

    def _set_properties(self, name: str, listed: str) -> None:
        found = re.findall(r"'([^']+)' = '([^']*)'", listed)
        self.relations[plain(name)].properties.update(found)

    def _add_columns(self, name: str, listed: str) -> None:
        self.relations[plain(name)].columns.extend(_columns(listed))

    def _insert(self, name: str, load_id: str) -> None:
        self.relations[plain(name)].loads.add(load_id)

    def _delete(self, name: str, listed: str) -> None:
        self.relations[plain(name)].loads -= set(re.findall(r"'([^']*)'", listed))

    def _schemas_like(self, name: str) -> Answer:
        known = {schema.rpartition(".")[2] for schema in self.schemas}
        return Answer(strings("databaseName"), [(name,)] if name.lower() in known else [])

    def _all_schemas(self) -> Answer:
        names = sorted(schema.rpartition(".")[2] for schema in self.schemas)
        return Answer(strings("databaseName"), [(name,) for name in names])

    def _tables(self, condition: str) -> Answer:
        asked = dict(re.findall(r"(table_\w+) = '([^']*)'", condition))
        prefix = f"{asked['table_catalog']}.{asked['table_schema']}."
        rows: list[tuple[Any, ...]] = []
        for name, relation in self.relations.items():
            if name.startswith(prefix):
                is_table = relation.kind == "table"
                managed = ("delta", "owner", "managed") if is_table else (None, "owner", None)
                rows.append((name.removeprefix(prefix), relation.kind, *managed))
        names = ("table_name", "table_type", "file_format", "table_owner", "databricks_table_type")
        return Answer(strings(*names), rows)

    def _columns(self, name: str) -> Answer:
        columns = [
            {"name": column, "type": {"name": kind}}
            for column, kind in self.relations[plain(name)].columns
        ]
        return Answer(strings("json_metadata"), [(json.dumps({"columns": columns}),)])

    def _properties(self, name: str) -> Answer:
        found = self.relations[plain(name)].properties
        return Answer(strings("key", "value"), sorted(found.items()))

    def _tables_in(self, schema: str) -> Answer:
        names = [name for name in self.relations if name.startswith(f"{plain(schema)}.")]
        columns = strings("database", "tableName")
        return Answer(columns, [(schema, name.rpartition(".")[2]) for name in names])

    def _schema(self, name: str) -> Answer:
        rows = [("Namespace Name", name), ("Comment", ""), ("Location", ""), ("Owner", "owner")]
        return Answer(strings("info_name", "info_value"), rows)

    def _loads(self, name: str) -> Answer:
        found = sorted(self.relations[plain(name)].loads)
        return Answer(strings("load_id"), [(load_id,) for load_id in found])


def _columns(listed: str) -> list[tuple[str, str]]:
    """The columns of a list as it is in `create table`."""
    parts = re.split(r",(?![^(<]*[)>])", listed)
    words = [part.split() for part in parts]
    return [(found[0].replace("`", ""), " ".join(found[1:])) for found in words if found]
