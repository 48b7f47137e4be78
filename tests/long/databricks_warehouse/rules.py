"""What no statement for Databricks with Unity Catalog may have.

Reads a list of statements as JSON, and prints {rule: statements that break it}.
"""

import json
import logging
import re
import sys
from collections.abc import Callable, Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

# statements that sqlglot does not take apart: what stands before their relation
BEFORE_RELATION = re.compile(
    r"^(?:describe (?:table )?extended|describe history|show tblproperties|vacuum"
    r"|alter (?:table|view)|show tables in|insert into|delete from"
    r"|(?:create or replace |create )(?:table|view)(?: if not exists)?"
    r"|drop (?:table|view)(?: if exists)?)\s+(\S+)",
    re.I,
)
BEFORE_QUERY = re.compile(r"^(?:describe query|explain)\s+", re.I)
OF_SCHEMA = re.compile(r"^(?:show tables in|(?:create|drop|describe) schema)", re.I)
CHANGES_SCHEMA = re.compile(
    r"^(?:(?:create|drop) schema (?:if (?:not )?exists)?|describe schema extended)\s+(\S+)", re.I
)
# what parquet tables have and Unity Catalog does not, or not for views and Delta tables
REFUSED = re.compile(
    r"^(?:show partitions|msck|truncate|refresh|cache|analyze|call)\b"
    r"|^alter table \S+ (?:add|drop)(?: if (?:not )?exists)? partition|^drop table .* purge$",
    re.I,
)
USING = re.compile(r"\busing (\w+)", re.I)


def names_a_setting(sql: str) -> bool:
    """SQL warehouses and serverless compute refuse most settings; the project sets none."""
    return re.match(r"(?:set|reset)\b", sql, re.I) is not None


def calls_java(sql: str) -> bool:
    """Only some kinds of compute can call Java."""
    return re.search(r"\b(?:reflect|try_reflect|java_method)\s*\(", sql, re.I) is not None


def is_refused(sql: str) -> bool:
    """Statements about partitions and listings."""
    return REFUSED.search(sql) is not None


def is_not_delta(sql: str) -> bool:
    """A table that is created is a managed Delta table."""
    if not re.match(r"create (?:or replace )?(?:\w+ )?table\b", sql, re.I):
        return False
    found = USING.search(sql)
    return found is None or found[1].lower() != "delta" or " location " in sql.lower()


def does_not_parse(sql: str) -> bool:
    """Sqlglot has a dialect for Databricks, without these two words before a query."""
    try:
        sqlglot.parse_one(BEFORE_QUERY.sub("", sql), dialect="databricks")
    except SqlglotError:
        return True
    return False


def names_no_catalog(sql: str) -> bool:
    """Each relation has a catalog and a schema in its name, each schema a catalog."""
    schema = CHANGES_SCHEMA.match(sql) or (OF_SCHEMA.match(sql) and BEFORE_RELATION.match(sql))
    if schema:
        return _parts(schema[1]) != 2
    named = BEFORE_RELATION.match(sql)
    if named and _parts(named[1]) != 3:
        return True
    try:
        return any(not table.catalog or not table.db for table in relations(sql))
    except SqlglotError:
        return False


def relations(sql: str) -> Iterator[exp.Table]:
    """The relations of a statement: neither steps, functions nor files."""
    tree = sqlglot.parse_one(BEFORE_QUERY.sub("", sql), dialect="databricks")
    steps = {step.alias_or_name.lower() for step in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        is_step = not table.db and table.name.lower() in steps
        is_function = not isinstance(table.this, exp.Identifier)
        is_file = table.db == "parquet"
        is_schema = isinstance(table.parent, exp.Create) and table.parent.kind == "SCHEMA"
        is_hint = table.find_ancestor(exp.Hint) is not None
        if not (is_step or is_function or is_file or is_schema or is_hint):
            yield table


def _parts(name: str) -> int:
    return len(re.findall(r"`[^`]+`|[\w$]+", name))


RULES: dict[str, Callable[[str], bool]] = {
    "does not parse": does_not_parse,
    "names no catalog": names_no_catalog,
    "names a setting": names_a_setting,
    "calls Java": calls_java,
    "is refused by Unity Catalog": is_refused,
    "creates no Delta table": is_not_delta,
}


def broken(statements: list[str]) -> dict[str, list[str]]:
    """The statements that break each rule."""
    plain = {sql: re.sub(r"--.*", "", sql).strip() for sql in statements}
    return {
        name: [sql for sql, text in plain.items() if breaks(text)] for name, breaks in RULES.items()
    }


if __name__ == "__main__":
    # it warns about statements that it does not take apart
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    print(json.dumps(broken(json.load(sys.stdin))))
