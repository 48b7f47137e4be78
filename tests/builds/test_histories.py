"""Incremental builds, in any order of arrival, compared with the independent computation.

`tests/long/test_more_histories.py` has more histories and steps, and builds them at once.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from conftest import Warehouse
from helpers.added_table import check_added_table
from helpers.growing_warehouse import build_in_steps, times
from helpers.random_histories import many_histories
from helpers.sensitive_project import states_from_both


def test_every_build_of_a_growing_lake_matches_the_specification(
    warehouse: Callable[..., Warehouse], sensitive_project: Path
) -> None:
    histories = many_histories(range(100, 114), times(5), orderly=range(600, 604))
    stepwise = replace(warehouse("stepwise"), project=sensitive_project)
    build_in_steps(stepwise, histories)
    assert states_from_both(stepwise.schema) > 10
    check_added_table(stepwise.schema)
