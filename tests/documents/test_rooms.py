"""The folders of models and macros have an order: each uses only the folders before it."""

from graphlib import TopologicalSorter
from typing import Any

import pytest

from helpers.consumer_projects import parsed, variables
from helpers.project import PROJECT
from scripts.pages.rooms import (
    MACRO_ROOMS,
    MODEL_ROOMS,
    READS_BEFORE,
    macro_calls,
    macro_room,
    model_reads,
    model_room,
    reads_before,
)

# the models of a vendor are there only if a source is of its type
TYPES = ("hightouch", "census_writeback", "rudderstack", "drt")
SOURCES = [{"name": name, "type": name, "schema": name} for name in TYPES]


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    """The manifest with the models of all sources, in the form that dbt writes."""
    given = variables(sync_logs_sources=SOURCES)
    project = parsed(PROJECT, *given, profiles=PROJECT / "profiles")
    written: dict[str, Any] = project.writable_manifest().to_dict()
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


def test_what_a_room_reads_of_an_earlier_build_is_declared(manifest: dict[str, Any]) -> None:
    assert reads_before(manifest) == READS_BEFORE


def test_no_model_reads_what_this_build_has_written_as_an_earlier_build_left_it(
    manifest: dict[str, Any],
) -> None:
    """Such a model would read either, depending on which thread is first."""
    written = {node["name"]: model_room(node["original_file_path"]) for node in models(manifest)}
    rooms = list(MODEL_ROOMS)
    late = {
        (room, table)
        for room, tables in READS_BEFORE.items()
        for table in tables
        if table in written and rooms.index(written[table]) < rooms.index(room)
    }
    # whether a build waits for its audit does not matter: all rows of it are true
    assert late == {("marts", "int_files__audited")}


def models(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Our models."""
    nodes = manifest["nodes"].items()
    return [node for one, node in nodes if one.startswith("model.sync_logs.")]


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
