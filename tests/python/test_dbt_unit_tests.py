"""The dbt unit tests: each rule of the models with fixtures of its own."""

from collections.abc import Callable

from conftest import Warehouse
from oracle import random_history, write_all


def test_all_dbt_unit_tests_pass(warehouse: Callable[[str], Warehouse]) -> None:
    built = warehouse("unit_tests")
    # a unit test asks the catalog for the columns of the relations that it mocks
    write_all(built.lake, random_history(1))
    assert built.dbt("run"), built.failures()
    assert built.dbt("test", "--select", "test_type:unit"), built.failures()
    assert len(built.results) > 30
