"""What the state models declare, and which views are valid in one build only."""

import re
from typing import Any

import pytest

from helpers.consumer_projects import ours

ROWS_OF = {"file", "run", "checkpoint", "load"}
KNOWN = {
    *("rows_of", "joined_by", "file_kind", "after_prune", "after_purge", "in_operations"),
    *("is_written_when_idle", "lists_loads"),
}


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
