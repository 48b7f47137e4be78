"""The folders of models and macros have an order: each uses only the folders before it."""

from graphlib import TopologicalSorter
from typing import Any

import pytest

from scripts.pages.rooms import (
    MACRO_ROOMS,
    MODEL_ROOMS,
    macro_calls,
    macro_room,
    model_reads,
    model_room,
)


@pytest.fixture(scope="module")
def manifest(parsed_project: Any) -> dict[str, Any]:
    """The manifest in the form that dbt writes."""
    written: dict[str, Any] = parsed_project.writable_manifest().to_dict()
    return written


def test_no_model_reads_a_later_room(manifest: dict[str, Any]) -> None:
    rooms = list(MODEL_ROOMS)
    place = {
        one: rooms.index(model_room(node["original_file_path"]))
        for one, node in manifest["nodes"].items()
        if one.startswith("model.sync_logs.")
    }
    reads = model_reads(manifest)
    assert len(reads) > len(place)
    assert {read for read in reads if place[read[1]] > place[read[0]]} == set()


def test_no_macro_calls_a_later_room(manifest: dict[str, Any]) -> None:
    rooms = list(MACRO_ROOMS)
    calls = macro_calls(manifest)
    assert len(calls) > len(rooms)
    place = {file: rooms.index(macro_room(file)) for call in calls for file in call}
    assert {call for call in calls if place[call[1]] > place[call[0]]} == set()


def test_no_files_of_macros_call_each_other_in_a_circle(manifest: dict[str, Any]) -> None:
    called_by: dict[str, set[str]] = {}
    for caller, called in macro_calls(manifest):
        called_by.setdefault(caller, set()).add(called)
    assert list(TopologicalSorter(called_by).static_order())
