"""What models declare: their state, their columns, and which views are valid in one build only."""

import re
from typing import Any

import pytest

from helpers.consumer_projects import ours
from helpers.project import PROJECT

ROWS_OF = {"file", "run", "checkpoint", "load"}
KNOWN = {
    *("rows_of", "joined_by", "file_kind", "after_prune", "after_purge", "in_operations"),
    *("is_written_when_idle", "lists_loads"),
}
MODELS = PROJECT / "models"


@pytest.fixture(scope="module")
def models(parsed_project: Any) -> dict[str, Any]:
    """The models of the project by name."""
    return ours(parsed_project, "model")


def tables(models: dict[str, Any]) -> dict[str, Any]:
    """The tables of the state."""
    return {name: one for name, one in models.items() if one.config.materialized == "load"}


def test_each_state_table_declares_what_its_rows_belong_to(models: dict[str, Any]) -> None:
    for name, node in tables(models).items():
        state = node.config.meta["state"]
        assert set(state) <= KNOWN, name
        assert state["rows_of"] in ROWS_OF, name
        columns = [
            column if isinstance(column, str) else next(iter(column))
            for column in state.get("joined_by", [])
        ]
        assert set(columns) <= set(node.columns), name
        assert bool(columns) == (state["rows_of"] != "load"), name
        assert ("after_prune" in state) == (state["rows_of"] == "run"), name
        assert ("file_kind" in state) == (state["rows_of"] == "file"), name


def test_tables_with_identifiers_declare_what_a_purge_does(models: dict[str, Any]) -> None:
    for name, node in tables(models).items():
        state = node.config.meta["state"]
        if "identifier" in node.columns and state["rows_of"] != "load":
            assert state["after_purge"] in ("dropped", "blanked"), name
        # rows of a load are dropped with it: a purge keeps no load that was written before it
        assert "after_purge" not in state or state["rows_of"] != "load", name


def test_one_table_lists_the_loads(models: dict[str, Any]) -> None:
    lists = [
        name for name, one in tables(models).items() if "lists_loads" in one.config.meta["state"]
    ]
    assert lists == ["int_files__planned"]


def test_the_commit_comes_after_every_table_of_the_state(models: dict[str, Any]) -> None:
    # a Python model is a leaf: nothing published waits for it
    needed = {one.unique_id for one in tables(models).values() if one.language == "sql"}
    before = set()
    waiting = [models["sync_load_current"].unique_id]
    by_id = {one.unique_id: one for one in models.values()}
    while waiting:
        for parent in by_id[waiting.pop()].depends_on.nodes:
            if parent in by_id and parent not in before:
                before.add(parent)
                waiting.append(parent)
    assert needed - before == set()


def test_no_view_contains_the_id_of_a_load(models: dict[str, Any]) -> None:
    """A view with the id of a build in its SQL would have to be replaced in each build."""
    views = [one for one in models.values() if one.config.materialized == "lazy_view"]
    ids = re.compile(r"sync_logs\.\w*(load_id|as_of)\(\)")
    allowed = {"sync_logs.this_as_of()"}
    found = {
        view.name: {one.group() for one in ids.finditer(view.raw_code)} - allowed for view in views
    }
    assert {name: calls for name, calls in found.items() if calls} == {}


def test_no_model_filters_by_load_itself(models: dict[str, Any]) -> None:
    """`of_load` and `of_committed` say which rows; a history of builds names an earlier load."""
    filters = re.compile(r"(where|and)\s+load_id =")
    found = [one.name for one in models.values() if filters.search(one.raw_code)]
    assert found == ["int_loads__recorded"]


def test_a_view_of_one_build_is_declared_and_is_read_by_no_documented_table(
    models: dict[str, Any],
) -> None:
    """A view that lists the runs to read from a table, or on such a view, shows only one build."""
    views = {
        one.unique_id: one for one in models.values() if one.config.materialized == "lazy_view"
    }
    of_one_build: set[str] = set()
    while True:
        found = {
            name
            for name, view in views.items()
            if "planned_runs_only(" in view.raw_code or of_one_build & set(view.depends_on.nodes)
        }
        if found == of_one_build:
            break
        of_one_build = found
    declared = {name for name, view in views.items() if view.config.meta.get("is_of_one_build")}
    assert of_one_build <= declared
    assert [views[name].name for name in declared if views[name].config.access == "public"] == []
    for view in views.values():
        assert view.unique_id in declared or not declared & set(view.depends_on.nodes), view.name


def test_an_internal_view_declares_only_columns_that_something_uses(parsed_project: Any) -> None:
    """Contracts and data tests use columns. The models of vendors are disabled here."""
    disabled = [one for nodes in parsed_project.disabled.values() for one in nodes]
    nodes = [one for one in (*parsed_project.nodes.values(), *disabled) if is_ours(one)]
    # a singular test has its own file, so it is of no column
    tested = {
        (one.attached_node, one.column_name) for one in nodes if hasattr(one, "attached_node")
    }
    views = [
        one
        for one in nodes
        if one.resource_type == "model"
        and one.config.materialized == "lazy_view"
        and not one.config.contract.enforced
    ]
    assert "int_hightouch__records" in {one.name for one in views}
    unused = [
        f"{one.name}.{column}"
        for one in views
        for column in one.columns
        if (one.unique_id, column) not in tested
    ]
    assert unused == [], "nothing uses these columns: remove them from the YAML of the view"


def is_ours(node: Any) -> bool:
    """Whether a node is of this package."""
    return bool(node.package_name == "sync_logs")


def test_a_column_without_a_description_means_what_the_docs_say_of_its_name(
    parsed_project: Any, models: dict[str, Any]
) -> None:
    silent = {
        f"{name}.{column}"
        for name, node in models.items()
        for column, declared in node.columns.items()
        if not declared.description and f"doc.sync_logs.{column}" not in parsed_project.docs
    }
    assert silent == set(), "describe these columns in models/_docs.md"


def test_a_column_without_data_tests_is_one_line() -> None:
    block = re.compile(
        r"- name: (\w+)\n +data_type:.*\n(?: +description:.*\n)?(?! +(?:description|data_tests):)"
    )
    longer = [
        f"{file.stem}.{column}"
        for file in MODELS.rglob("*.yml")
        for column in block.findall(file.read_text())
    ]
    assert longer == [], "write each as {name: ..., data_type: ..., description: ...}, in one line"


def test_every_description_is_of_a_column() -> None:
    """A description that no YAML refers to has the name of a column of an internal view."""
    yamls = "".join(file.read_text() for file in PROJECT.glob("[ms]*/**/*.yml"))
    code = "".join(
        file.read_text()
        for folder in ("models", "macros")
        for file in (PROJECT / folder).rglob("*.*")
        if file.suffix in (".sql", ".py")
    )
    described = set(re.findall(r"{% docs (\w+) %}", (MODELS / "_docs.md").read_text()))
    known = {*re.findall(r"(?:doc\('|name: )(\w+)", yamls), *re.findall(r"\w+", code)}
    assert described
    assert described - known == set(), "remove them from models/_docs.md"
