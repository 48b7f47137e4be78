"""Whichever model fails, a build publishes nothing; the build after all of them is right."""

from collections.abc import Callable

from conftest import Warehouse
from helpers.failing_models import (
    committed,
    failing,
    listening,
    make_stale,
)
from helpers.growing_warehouse import at, times, unlike_the_specification
from helpers.random_histories import Remembered, many_histories
from helpers.refused_statements import WRITING

FIRST, SECOND = times(2)
TABLES = {"int_files__planned", "int_records__landed", "int_runs__planned", "int_days__counted"}
VIEWS = ("int_records__logged", "int_runs__ordered", "int_attempts__final")


def test_no_failed_model_is_published(warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    histories = many_histories(range(2100, 2104), (FIRST, SECOND))
    remembered = Remembered(built.lake)
    remembered.step(histories.steps[0])
    assert built.dbt("run", variables=at(FIRST)), built.failures()
    before = committed(built)

    remembered.step(histories.steps[1])
    # which models write in such a build; this one stops before its commit
    with listening() as written:
        assert built.dbt("run", "--exclude", "sync_load_current+", variables=at(SECOND))
    writing = sorted(written - {"int_files__audited"})
    assert set(writing) >= TABLES
    for model in [*writing, *VIEWS]:
        if model in VIEWS:
            make_stale(built, model)
        with failing({model: WRITING}):
            assert not built.dbt("run", variables=at(SECOND))
        assert committed(built) == before, model
    assert built.dbt("run", variables=at(SECOND)), built.failures()
    assert unlike_the_specification(built, remembered, SECOND) == {}
