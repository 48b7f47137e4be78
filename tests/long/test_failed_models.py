"""A build in which a model fails publishes nothing, whichever it is; the next one is right."""

from collections.abc import Callable

from conftest import Warehouse
from helpers.failing_models import (
    committed,
    failing,
    last_load,
    listening,
    make_stale,
)
from helpers.growing_warehouse import at, times, unlike_the_specification
from helpers.old_state import commit
from helpers.random_histories import Remembered, many_histories
from helpers.refused_statements import WRITING

# a hook that reads files a second time, a table of the state, and a view
FAULTS = {
    "int_records__landed": r"(?s)^((?!insert into).)*$",
    "int_changelog__built": WRITING,
    "int_runs__ordered": WRITING,
}
FIRST, SECOND = times(2)
# models that write in any such build
TABLES = {"int_files__planned", "int_records__landed", "int_runs__planned", "int_days__counted"}
VIEWS = ("int_records__logged", "int_runs__ordered", "int_attempts__final")


def build_and_grow(built: Warehouse) -> tuple[Remembered, tuple[str, int, str]]:
    """Build a lake and let it grow; return what was in it, and the commit."""
    histories = many_histories(range(2100, 2104), (FIRST, SECOND))
    remembered = Remembered(built.lake)
    remembered.step(histories.steps[0])
    assert built.dbt("run", variables=at(FIRST)), built.failures()
    before = committed(built)
    remembered.step(histories.steps[1])
    return remembered, before


def test_a_failed_model_is_not_published_and_a_damaged_state_is_healed(
    warehouse: Callable[[], Warehouse],
) -> None:
    built = warehouse()
    remembered, before = build_and_grow(built)
    make_stale(built, "int_runs__ordered")
    with failing(FAULTS):
        assert not built.dbt("run", variables=at(SECOND))
    assert built.failed() == sorted(FAULTS)
    assert committed(built) == before
    (said,) = [line for line in built.said if "Nothing new is published" in line]
    assert f"this build has not written {', '.join(sorted(FAULTS))}. " in said

    # version 12 published such a load, and its next build kept the damage
    commit(built.schema, f"'{last_load(built)}' as load_id, 12 as schema_version, {before[2]}")
    assert unlike_the_specification(built, remembered, SECOND) != {}
    assert built.dbt("run", variables=at(SECOND)), built.failures()
    assert unlike_the_specification(built, remembered, SECOND) == {}


def test_no_failed_model_is_published(warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    remembered, before = build_and_grow(built)
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

    # the next build must still know that the tables are those of an older version
    commit(built.schema, f"'{before[0]}' as load_id, 17 as schema_version, {before[2]}")
    with failing({"int_changelog__built": WRITING}):
        assert not built.dbt("run", variables=at(SECOND))
    assert committed(built) == (before[0], 17, before[2])
    assert built.dbt("run", variables=at(SECOND)), built.failures()
    assert unlike_the_specification(built, remembered, SECOND) == {}
