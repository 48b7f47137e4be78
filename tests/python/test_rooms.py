"""The folders of models are in the order of a build: each reads only those before it."""

from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from consumers import ours

# The rules are a documented table that a build reads first.
ROOMS = (
    "marts/rules",
    "staging",
    *(
        f"intermediate/{room}"
        for room in (
            *("rules", "lake", "landing", "audit", "runs", "state", "answers", "publish"),
            "committed",
        )
    ),
    "marts",
)


@pytest.fixture(scope="module")
def models(parsed_project: Any) -> dict[str, Any]:
    """The models of the project by their ids."""
    return {one.unique_id: one for one in ours(parsed_project, "model").values()}


def room_of(node: Any) -> int:
    """The place of a model's folder in the order."""
    folder = Path(node.original_file_path).parent.relative_to("models").as_posix()
    return ROOMS.index(folder if folder in ROOMS else folder.partition("/")[0])


def test_no_model_reads_a_later_room(models: dict[str, Any]) -> None:
    backwards = {
        (node.name, models[parent].name)
        for node in models.values()
        for parent in node.depends_on.nodes
        if parent in models and room_of(models[parent]) > room_of(node)
    }
    assert backwards == set()


# The folders of macros in the same way: what a command is, what it is set to, what words mean,
# what is read from the lake and from the state, what is written, and what people call.
MACRO_ROOMS = (
    *("session", "settings", "vocabulary", "lake", "state", "loads", "retention", "fields"),
    *("views", "rules", "questions", "doctor", "generic"),
)


@pytest.fixture(scope="module")
def calls(parsed_project: Any) -> set[tuple[str, str]]:
    """Which file of macros calls which other one of the project."""
    file_of = {
        unique_id: macro.original_file_path
        for unique_id, macro in parsed_project.macros.items()
        if macro.package_name == "sync_logs"
    }
    return {
        (file, file_of[called])
        for unique_id, file in file_of.items()
        for called in parsed_project.macros[unique_id].depends_on.macros
        if called in file_of and file_of[called] != file
    }


def test_no_macro_calls_a_later_room(calls: set[tuple[str, str]]) -> None:
    def room(file: str) -> int:
        return MACRO_ROOMS.index(Path(file).parent.name)

    assert {call for call in calls if room(call[1]) > room(call[0])} == set()


def test_no_files_of_macros_call_each_other_in_a_circle(calls: set[tuple[str, str]]) -> None:
    called_by: dict[str, set[str]] = {}
    for caller, called in calls:
        called_by.setdefault(caller, set()).add(called)
    assert list(TopologicalSorter(called_by).static_order())
