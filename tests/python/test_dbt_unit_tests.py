"""The dbt unit tests: each rule of the models, with its own fixtures."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from oracle import random_history, write_all

# A query of a few literal rows runs once: compiling it costs more than interpreting it.
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}


def test_all_dbt_unit_tests_pass(
    warehouse: Callable[[], Warehouse], request: pytest.FixtureRequest
) -> None:
    """Run all unit tests, or only those of the models that `make check` passes."""
    models = request.config.getoption("--unit-tests-of").split()
    built = warehouse()
    # a unit test reads the columns of the relations that it mocks from the catalog
    write_all(built.lake, random_history(1))
    parents = ["--empty", "--select", *(f"+{model}" for model in models)] if models else []
    assert built.dbt("run", *parents), built.failures()
    tests = [f"{model},test_type:unit" for model in models] or ["test_type:unit"]
    with settings(INTERPRETED):
        assert built.dbt("test", "--select", *tests), built.failures()
    assert len(built.results) > (0 if models else 30)


@contextmanager
def settings(wanted: dict[str, str]) -> Iterator[None]:
    """Apply some settings to the Spark session of this process, then restore the old ones."""
    conf = SparkSession.builder.getOrCreate().conf
    before = {name: conf.get(name) for name in wanted}
    for name, value in wanted.items():
        conf.set(name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            conf.set(name, value)
