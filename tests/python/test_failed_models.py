"""A build in which a model fails publishes nothing, whatever dbt runs after it."""

from collections.abc import Callable

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.compared_answers import answers_differing, rules_of
from helpers.failing_models import WRITING, failing
from helpers.growing_warehouse import ALL, at, times
from helpers.old_state import commit
from helpers.random_histories import Remembered, many_histories
from helpers.retained_warehouse import differing_tables
from oracle import COLUMNS

# a hook that finds files to read a second time, a table of the state, and a view of one build
FAULTS = {
    "int_records__landed": r"(?s)^((?!insert into).)*$",
    "int_record_errors__built": WRITING,
    "int_runs__ordered": WRITING,
}
FIRST, SECOND = times(2)


def test_a_failed_model_is_not_published_and_a_damaged_state_is_healed(
    warehouse: Callable[[], Warehouse],
) -> None:
    built = warehouse()
    histories = many_histories(range(2100, 2104), (FIRST, SECOND))
    remembered = Remembered(built.lake)
    remembered.step(histories.steps[0])
    assert built.dbt("run", variables=at(FIRST)), built.failures()
    before = committed(built)

    remembered.step(histories.steps[1])
    with failing(FAULTS):
        assert not built.dbt("run", variables=at(SECOND))
    assert built.failed() == sorted(FAULTS)
    assert committed(built) == before
    (said,) = [line for line in built.said if "Nothing new is published" in line]
    assert f"this build has not written {', '.join(sorted(FAULTS))}. " in said

    # version 12 published such a load, and its next build kept the damage
    commit(built.schema, f"'{last_load(built)}' as load_id, 12 as schema_version, {before[1]}")
    assert unlike_the_specification(built, remembered) != {}
    assert built.dbt("run", variables=at(SECOND)), built.failures()
    assert unlike_the_specification(built, remembered) == {}


def committed(built: Warehouse) -> tuple[str, str]:
    """The committed load, and the columns of the commit besides its id and version."""
    session = SparkSession.builder.getOrCreate()
    (row,) = session.table(f"{built.schema}_state.sync_load_current").collect()
    others = f"{row['has_changes']} as has_changes, '{row['words']}' as words"
    return row["load_id"], others


def last_load(built: Warehouse) -> str:
    """The load of the last build, whether it was published or not."""
    session = SparkSession.builder.getOrCreate()
    recorded = session.table(f"{built.schema}_state.int_loads__recorded")
    return max(row["load_id"] for row in recorded.select("load_id").collect())


def unlike_the_specification(built: Warehouse, remembered: Remembered) -> dict[str, list[str]]:
    """The tables that differ from the independent computation, with some of their rows."""
    tables = built.tables(ALL)
    expected = remembered.tables(SECOND)
    answers = remembered.answers(SECOND, rules_of(built))
    differing = differing_tables(expected, {name: tables[name] for name in COLUMNS}, COLUMNS)
    return differing | answers_differing(answers, tables)
