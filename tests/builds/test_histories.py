"""Incremental builds, in any order of arrival, compared with the independent computation."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from conftest import Warehouse
from helpers.added_table import check_added_table
from helpers.growing_warehouse import ALL, at, build_in_steps, contents, times, unlike
from helpers.random_histories import many_histories
from helpers.sensitive_project import states_from_both
from oracle import write_all

# no history has more steps, so the last step completes the lake
AS_OF = times(5)


def test_every_build_of_a_growing_lake_matches_the_specification(
    warehouse: Callable[..., Warehouse], sensitive_project: Path, tmp_path: Path
) -> None:
    histories = many_histories(range(100, 114), AS_OF, orderly=range(600, 604))
    stepwise = replace(warehouse("stepwise"), project=sensitive_project)
    in_steps = build_in_steps(stepwise, histories)
    assert states_from_both(stepwise.schema) > 10
    check_added_table(stepwise.schema)

    at_once = replace(warehouse(), lake=tmp_path / "whole_lake")
    for history in histories.histories:
        write_all(at_once.lake, history)
    # including the full-scan tests
    assert at_once.builds(at(AS_OF[-1]), "--exclude", "test_type:unit"), at_once.failures()
    assert unlike(contents(at_once.tables(ALL)), in_steps) == {}
