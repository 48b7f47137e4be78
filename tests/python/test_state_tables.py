"""What the state models declare, and which views are valid in one build only."""

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


def test_a_view_of_one_build_is_declared_and_is_read_by_no_documented_table(
    models: dict[str, Any],
) -> None:
    """A view with the load of a build in its SQL, or on such a view, shows only that build."""
    views = {
        one.unique_id: one for one in models.values() if one.config.materialized == "lazy_view"
    }
    of_one_build: set[str] = set()
    while True:
        found = {
            name
            for name, view in views.items()
            if "sync_logs.load_id()" in view.raw_code or of_one_build & set(view.depends_on.nodes)
        }
        if found == of_one_build:
            break
        of_one_build = found
    declared = {name for name, view in views.items() if view.config.meta.get("is_of_one_build")}
    # a model's SQL does not show how its macros depend on the build, so more can be declared
    assert of_one_build <= declared
    assert of_one_build != set()
    assert [views[name].name for name in declared if views[name].config.access == "public"] == []
    for view in views.values():
        assert view.unique_id in declared or not declared & set(view.depends_on.nodes), view.name
