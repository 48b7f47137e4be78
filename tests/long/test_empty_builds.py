"""`--empty` runs the SQL of every model and does not change any data."""

from collections.abc import Callable

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.build_and_read import loads_of
from helpers.refused_statements import NODE
from oracle import random_history, write_all

EMPTY = ("build", "--empty", "--warn-error")


def test_an_empty_build_changes_nothing(warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    # nothing exists yet, not even a lake, as when `make check` runs
    assert built.dbt(*EMPTY), built.failures()
    write_all(built.lake, random_history(1))
    assert built.builds(), built.failures()
    shown = built.tables(("sync_records", "sync_runs", "sync_snapshot", "sync_loads"))
    assert shown["sync_records"]
    loads = loads_of(SparkSession.builder.getOrCreate(), f"{built.schema}_state.int_files__planned")

    assert built.dbt(*EMPTY), built.failures()
    assert built.tables(shown) == shown
    planned = f"{built.schema}_state.int_files__planned"
    assert loads_of(SparkSession.builder.getOrCreate(), planned) == loads
    tried = {
        name for query in built.queries if "where false" in query for name in NODE.findall(query)
    }
    models = {
        one.node.name
        for one in built.results
        if str(getattr(one.node.config, "materialized", "")) in ("load", "lazy_view")
        and one.node.language == "sql"
    }
    assert models
    assert models <= tried
