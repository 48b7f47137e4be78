"""The dbt unit tests: each rule of the models with fixtures of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from conftest import Warehouse
from oracle import random_history, write_all

# A query of a few literal rows is asked once: to compile it costs more than to interpret it.
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}


def test_all_dbt_unit_tests_pass(warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    # a unit test asks the catalog for the columns of the relations that it mocks
    write_all(built.lake, random_history(1))
    assert built.dbt("run"), built.failures()
    with settings(INTERPRETED):
        assert built.dbt("test", "--select", "test_type:unit"), built.failures()
    assert len(built.results) > 30


@contextmanager
def settings(wanted: dict[str, str]) -> Iterator[None]:
    """Give the Spark of this process some settings, and take them back."""
    conf = SparkSession.builder.getOrCreate().conf
    before = {name: conf.get(name) for name in wanted}
    for name, value in wanted.items():
        conf.set(name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            conf.set(name, value)
