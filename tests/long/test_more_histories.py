"""More histories in more steps than in `make test`, and a full refresh of them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from conftest import Warehouse
from helpers.growing_warehouse import ALL, at, build_in_steps, contents, times, unlike
from helpers.random_histories import many_histories

AS_OF = times(6)


def test_a_full_refresh_keeps_what_the_lake_no_longer_has(
    warehouse: Callable[[], Warehouse], sensitive_project: Path
) -> None:
    stepwise = replace(warehouse(), project=sensitive_project)
    in_steps = build_in_steps(
        stepwise, many_histories(range(500, 532), AS_OF, orderly=range(700, 716))
    )
    assert stepwise.dbt("run", "--full-refresh", variables=at(AS_OF[-1])), stepwise.failures()
    assert unlike(contents(stepwise.tables(ALL)), in_steps) == {}
