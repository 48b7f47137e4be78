"""The folders of models are in the order of a build: each reads only those before it."""

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
