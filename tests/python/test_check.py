"""`make check` checks the models that a change touches."""

from typing import Any

import pytest

from scripts.check import touched_models


@pytest.mark.parametrize(
    ("file", "models"),
    [
        ("models/marts/syncs/sync_changelog.sql", ["sync_changelog"]),
        ("models/intermediate/runs/int_runs__planned.yml", ["int_runs__planned"]),
        (
            "models/intermediate/runs/int_runs__checkpointed__deltas__unit_tests.yml",
            ["int_runs__checkpointed"],
        ),
        (
            "macros/state/replacements.sql",
            ["int_memberships__built", "int_outcomes__sequenced", "int_record_states__built"],
        ),
        ("docs/semantics.md", []),
    ],
)
def test_unit_tests_of_what_a_file_touches(
    parsed_project: Any, file: str, models: list[str]
) -> None:
    assert touched_models(parsed_project, {file}) == models


def test_a_macro_is_called_through_another_one(parsed_project: Any) -> None:
    """The model that reads the log calls `canonical_operation`, which calls this macro."""
    found = touched_models(parsed_project, {"macros/vocabulary/word_for.sql"})
    assert "int_records__logged" in found
