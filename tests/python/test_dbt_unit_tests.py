"""The dbt unit tests: each rule of the models with fixtures of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from oracle import random_history, write_all

# A query of a few literal rows is asked once: to compile it costs more than to interpret it.
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}


def test_all_dbt_unit_tests_pass(
    warehouse: Callable[[], Warehouse], request: pytest.FixtureRequest
) -> None:
    """Or those of some models, as `make check` asks for them."""
    models = request.config.getoption("--unit-tests-of").split()
    built = warehouse()
    # a unit test asks the catalog for the columns of the relations that it mocks
    write_all(built.lake, random_history(1))
    parents = ["--empty", "--select", *(f"+{model}" for model in models)] if models else []
    assert built.dbt("run", *parents), built.failures()
    tests = [f"{model},test_type:unit" for model in models] or ["test_type:unit"]
    with settings(INTERPRETED):
        assert built.dbt("test", "--select", *tests), built.failures()
    assert len(built.results) > (0 if models else 30)


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
