"""States of versions 13, 14 and 16, which no release had, are migrated."""

from collections.abc import Callable

from pyspark.sql import SparkSession

from builds.former_states import (
    NOW,
    check,
    forget_failures,
    move_rows,
    publish_as_version,
    run,
    tables_of,
    write_columns,
    write_deltas,
)
from conftest import Warehouse
from helpers.compared_tables import answers_differing, rules_of
from helpers.retained_warehouse import variables
from helpers.source_tables import put, with_sources
from helpers.writeback_tables import SYNC_LOG
from oracle import ANSWER_COLUMNS, Step, apply_step, compute_answers, read_lake
from oracle.building import at
from oracle.writing import ParquetFile


def test_a_checkpoint_that_had_only_changes_gets_all_records(
    warehouse: Callable[[], Warehouse],
) -> None:
    built = warehouse()
    apply_step(built.lake, Step((run("1", 100, a="succeeded", b="failed", d="failed"),), (), NOW))
    apply_step(built.lake, Step((run("2", 200, b="failed", c="succeeded"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    write_deltas(built)

    apply_step(built.lake, Step((run("3", 350, c="succeeded"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))
    (errors,) = built.rows("errors_by_sync")
    assert (errors["record_count"], errors["attempt_count"]) == (2, 3)


def test_landed_rows_of_three_tables_are_in_one(warehouse: Callable[[], Warehouse]) -> None:
    """A migration that was killed after it had copied the first table is run again."""
    built = warehouse()
    files = (
        run("1", 100, a="succeeded", b="failed"),
        run("2", 200, b="succeeded", c="failed"),
        run("3", 300, a="failed"),
        *(names("a", "of a file"), names("b", "of another file")),
    )
    apply_step(built.lake, Step(files, (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    second, third = "sync_run_id = '2'", "sync_run_id = '3'"
    move_rows(built, "int_records__landed", "int_records__recovered", second)
    move_rows(built, "int_records__landed", "int_records__received", third)
    move_rows(built, "int_facts__landed", "int_facts__recovered", "file_name like '%_b.parquet'")
    publish_as_version(14, built)
    session, state = SparkSession.builder.getOrCreate(), f"{built.schema}_state"
    columns = ", ".join(session.table(f"{state}.int_records__recovered").columns)
    session.sql(
        f"insert into {state}.int_records__landed ({columns}) "
        f"select {columns} from {state}.int_records__recovered"
    )

    apply_step(built.lake, Step((run("4", 350, c="succeeded"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))
    assert len(built.rows("int_facts__landed", "_state")) == 2
    assert built.dbt("run", "--full-refresh", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))
    assert not {one for one in tables_of(built) if one.endswith(("__recovered", "__received"))}


def names(suffix: str, name: str) -> ParquetFile:
    """A file of names of destinations."""
    return ParquetFile(
        f"metadata/new/destinations_{suffix}.parquet", ("id", "name"), ({"id": "1", "name": name},)
    )


def test_the_sources_of_runs_become_a_table(warehouse: Callable[..., Warehouse]) -> None:
    built = warehouse("sources_in_columns")
    built.start_spark()
    row = {"log_id": "1", "sync_id": 1, "sync_run_id": 5, "record_identifier": "b"}
    row |= {"operation": "upsert", "status": "rejected", "batch_completed_at": at(1)}
    put("census_14.sync_log", SYNC_LOG, [row])
    apply_step(built.lake, Step((run("1", 100, a="succeeded", b="failed"),), (), NOW))
    lake = {"name": "bucket", "type": "census_lake", "path": str(built.lake)}
    table = {"name": "wb", "type": "census_writeback", "schema": "census_14"}
    as_of = {"sync_logs_as_of": NOW.isoformat()}
    assert built.dbt("run", variables=with_sources(lake, table, **as_of)), built.failures()
    shown = shown_of_sources(built)
    assert {one["source_name"] for one in shown["sync_statistics"]} == {"bucket", "wb"}
    assert {one["invalid_rate"] for one in shown["sync_statistics"]} == {0, None}
    write_columns(built)

    # nothing is read again, and a source that is not in the settings keeps its name
    given = with_sources(lake, **as_of)
    assert built.dbt("run", variables=given), built.failures()
    assert shown_of_sources(built) == shown
    load = max(built.rows("sync_loads"), key=lambda one: str(one["started_at"]))
    assert (load["landed_record_count"], load["replayed_run_count"]) == (0, 2)

    # an operation copies no column that only the old state has
    purged = {"organization_id": "new", "identifier": "c", "in_advance": True}
    assert built.operation("purge_record", given, **purged), built.failures()
    assert shown_of_sources(built) == shown


def shown_of_sources(built: Warehouse) -> dict[str, list[dict[str, object]]]:
    """Documented tables of every kind that names the source of its rows."""
    tables = ("sync_runs", "sync_records", "sync_snapshot", "sync_statistics", "errors_by_sync")
    return {table: sorted(built.rows(table), key=str) for table in tables}


def test_a_build_of_some_models_leaves_an_old_state_alone(
    warehouse: Callable[[], Warehouse],
) -> None:
    """It would replace views, which then read columns that no commit has filled."""
    built = warehouse()
    apply_step(built.lake, Step((run("1", 100, a="succeeded", b="failed"),), (), NOW))
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    forget_failures(built)

    assert not built.dbt("run", "--select", "int_record_states__live", variables=variables(NOW))
    assert "Run `dbt build` once, which migrates it" in built.failures()
    assert built.dbt("run", variables=variables(NOW)), built.failures()
    check(built, read_lake(built.lake))
    # every run is computed again, because only that tells since when a record fails
    expected = compute_answers(read_lake(built.lake), NOW, rules=rules_of(built))
    assert len(expected["record_failures"]) == 1
    assert answers_differing(expected, built.tables(ANSWER_COLUMNS)) == {}
