"""Macros can ask the dbt plugin whether a query succeeds, which Spark 3.5 and 4.0 need."""

from conftest import Warehouse


def test_a_failed_query_does_not_stop_a_macro(module_warehouse: Warehouse) -> None:
    queries = ("select 1", "select raise_error('stop')", "select no_such_column")
    inline = " ".join(f'{{{{ adapter.sync_logs_succeeds("{query}") }}}}' for query in queries)
    assert module_warehouse.dbt("compile", "--inline", inline), module_warehouse.failures()
    told = str(module_warehouse.results[0].node.compiled_code).split()
    assert told == ["True", "False", "False"]
    assert not [line for line in module_warehouse.said if "stop" in line]
