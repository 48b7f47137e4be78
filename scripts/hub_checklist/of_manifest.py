"""Checks of what dbt has parsed: the package in the project of a user."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from dbt_common.clients.jinja import get_environment
from jinja2 import nodes

from .finding import Finding
from .package import SCHEMA, USER, Package

# dbt asks the packages of a project for macros of these names
OF_EVERY_PROJECT = re.compile(r"(?:\w+__)?generate_\w+_name|ref|source|config|var")
# a table with its schema, or a path; `is distinct from a.b` compares
FIXED_TABLE = re.compile(r"(?<!distinct )\b(?:from|join)\s+([\w`]+\.[\w`/.]+)", re.IGNORECASE)


def parses(package: Package) -> Finding:
    """A project that has only installed the package parses without a warning."""
    return Finding("no warnings", package.warnings)


def tables(package: Package) -> Finding:
    """No model reads a table by its name."""
    models = [*package.own("model")]
    problems = [
        f"{one.name} reads {table}"
        for one in models
        if one.language == "sql"
        for table in FIXED_TABLE.findall(_sql_of(one.raw_code))
    ]
    return Finding(f"{len(models)} models", tuple(problems))


def _sql_of(code: str) -> str:
    """The text of a model without Jinja and comments."""
    texts = (one.data for one in _tree(code).find_all(nodes.TemplateData))
    return re.sub(r"--[^\n]*|/\*.*?\*/", "", "".join(texts), flags=re.DOTALL)


def places(package: Package) -> Finding:
    """Each schema comes from the target of the project, and no database is given."""
    found = [*package.own("model", "seed", "snapshot", "source")]
    fixed = [one for one in found if not one.schema.startswith(SCHEMA)]
    problems = [f"{one.name} is in the schema {one.schema}" for one in fixed]
    problems += [f"{one.name} is in the database {one.database}" for one in found if one.database]
    schemas = sorted({one.schema.replace(SCHEMA, "<target>") for one in found})
    return Finding(", ".join(schemas), tuple(problems))


def targets(package: Package) -> Finding:
    """No SQL branches on the adapter, and no model on the target's name."""
    code = [
        (one.name, one.raw_code, {"name", "type", "target_name"}) for one in _sql_models(package)
    ]
    code += [(one.name, one.macro_sql, {"type"}) for one in package.own_macros()]
    problems = [
        f"{name} reads target.{read}"
        for name, text, forbidden in code
        for read in sorted(_read_of_target(text) & forbidden)
    ]
    return Finding(f"{len(code)} models and macros", tuple(problems))


def _read_of_target(code: str) -> set[str]:
    """What code reads of `target`: `target.type`, `target['type']`."""
    found = [(one.node, one.attr) for one in _tree(code).find_all(nodes.Getattr)]
    for one in _tree(code).find_all(nodes.Getitem):
        found.append((one.node, str(getattr(one.arg, "value", ""))))
    return {key for node, key in found if isinstance(node, nodes.Name) and node.name == "target"}


def overrides(package: Package) -> Finding:
    """Nothing replaces what dbt does for other resources of the project."""
    built_in = {
        one.name
        for one in package.manifest.macros.values()
        if one.package_name in ("dbt", "dbt_spark")
    }
    own = [one.name for one in package.own_macros()]
    problems = [
        f"the macro {name} is one of dbt's"
        for name in own
        if name in built_in or OF_EVERY_PROJECT.fullmatch(name)
    ]
    replaced = _materializations(own) & _materializations(built_in)
    problems += [f"the materialization {name} is one of dbt's" for name in sorted(replaced)]
    return Finding(f"{len(own)} macros", tuple(problems))


def _materializations(macros: Iterable[str]) -> set[str]:
    """Names of materializations; each is a macro for each adapter: `materialization_view_spark`."""
    prefix = "materialization_"
    found = (name.removeprefix(prefix) for name in macros if name.startswith(prefix))
    return {name.rpartition("_")[0] for name in found}


def namespaces(package: Package) -> Finding:
    """Macros are called by the package's name, because a project may have one of the same name."""
    own = {one.name for one in package.own_macros()}
    code = [(one.name, one.raw_code) for one in [*_sql_models(package), *package.own("test")]]
    code += [(one.name, one.macro_sql) for one in package.own_macros()]
    problems = [
        f"{name} calls {called} without {package.name}."
        for name, text in code
        for called in sorted(_called(text) & own)
    ]
    return Finding(f"{package.name}.<macro>", tuple(problems))


def _called(code: str) -> set[str]:
    """Macros that code calls without a package; dbt puts a prefix before their names."""
    calls = (one.node for one in _tree(code).find_all(nodes.Call))
    names = {one.name for one in calls if isinstance(one, nodes.Name)}
    return {name.removeprefix("dbt_macro__") for name in names}


def variables(package: Package) -> Finding:
    """Variables begin with the package's name, and each one that is read has a default."""
    given = package.project.get("vars") or {}
    problems = [f"{name} is a variable of every package" for name in given if name != package.name]
    declared = package.settings
    prefix = f"{package.name}_"
    problems += [f"{name} lacks the prefix" for name in declared if not name.startswith(prefix)]
    code = [one.raw_code for one in [*_sql_models(package), *package.own("test")]]
    code += [one.macro_sql for one in package.own_macros()]
    read = {name for text in code for name in _variables(text)}
    problems += [f"{name} has no default" for name in sorted(read - set(declared))]
    return Finding(f"{len(declared)} variables", tuple(problems))


def _variables(code: str) -> Iterator[str]:
    for one in _tree(code).find_all(nodes.Call):
        is_var = isinstance(one.node, nodes.Name) and one.node.name == "var" and one.args
        # a name that the code computes is none of ours
        if is_var and isinstance(one.args[0], nodes.Const):
            yield str(one.args[0].value)


def names(package: Package) -> Finding:
    """A project may have models of the same names: ours do not read them."""
    wrong = {
        (one.name, read)
        for one in package.own("model", "test", "seed")
        for read in getattr(one.depends_on, "nodes", [])
        if read.split(".")[1] == USER
    }
    problems = [f"{name} reads {read} of the project" for name, read in sorted(wrong)]
    theirs = [one for one in package.manifest.nodes.values() if one.package_name == USER]
    return Finding(f"tried with {len(theirs)} models", tuple(problems))


def documented(package: Package) -> Finding:
    """Each public model and each of its columns has a description."""
    public = [one for one in package.own("model") if one.access == "public"]
    problems = [f"{one.name} has no description" for one in public if not one.description]
    problems += [
        f"{one.name}.{column.name} has no description"
        for one in public
        for column in one.columns.values()
        if not column.description
    ]
    problems += [] if public else ["no model is public"]
    columns = sum(len(one.columns) for one in public)
    return Finding(f"{len(public)} tables, {columns} columns", tuple(problems))


def _sql_models(package: Package) -> list[Any]:
    return [one for one in package.own("model") if one.language == "sql"]


@cache
def _tree(code: str) -> nodes.Template:
    parsed: nodes.Template = get_environment().parse(code)
    return parsed
