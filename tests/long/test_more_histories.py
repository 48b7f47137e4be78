"""More histories in more steps than in `make test`, a full refresh of them, and a build at once."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from conftest import Warehouse
from helpers.growing_warehouse import ALL, at, build_in_steps, contents, times, unlike
from helpers.random_histories import many_histories
from oracle import write_all

# no history has more steps, so the last step completes the lake
AS_OF = times(6)


def test_a_full_refresh_keeps_what_the_lake_no_longer_has(
    warehouse: Callable[..., Warehouse], sensitive_project: Path, tmp_path: Path
) -> None:
    histories = many_histories(range(500, 532), AS_OF, orderly=range(700, 716))
    stepwise = replace(warehouse("stepwise"), project=sensitive_project)
    in_steps = build_in_steps(stepwise, histories)
    assert stepwise.dbt("run", "--full-refresh", variables=at(AS_OF[-1])), stepwise.failures()
    assert unlike(contents(stepwise.tables(ALL)), in_steps) == {}

    at_once = replace(warehouse(), lake=tmp_path / "whole_lake")
    for history in histories.histories:
        write_all(at_once.lake, history)
    # including the full-scan tests
    assert at_once.builds(at(AS_OF[-1]), "--exclude", "test_type:unit"), at_once.failures()
    assert unlike(contents(at_once.tables(ALL)), in_steps) == {}
