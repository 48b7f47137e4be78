"""The dbt unit tests: each rule of the models, with its own fixtures."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.growing_sources import variables, write
from helpers.source_tables import put
from oracle import random_history, write_all
from oracle.random_hightouch import random_hightouch
from oracle.random_rudderstack import random_rudderstack
from oracle.random_writeback import random_writeback

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


def test_the_unit_tests_of_models_that_read_tables_of_vendors_pass(
    warehouse: Callable[..., Warehouse], request: pytest.FixtureRequest
) -> None:
    """These models are there only if the setting has a source of their type."""
    if request.config.getoption("--unit-tests-of"):
        pytest.skip("`make check` parses the project without sources")
    built = warehouse("unit_tests_of_sources")
    built.start_spark()
    histories = [random_hightouch(0), random_writeback(0), random_rudderstack(0)]
    for history in histories:
        write(history, 0, put)
    given = variables(histories, "2026-02-01T00:00:00Z", "")
    model = "int_records__received"
    assert built.dbt("run", "--empty", "--select", f"+{model}", variables=given), built.failures()
    tests = [f"{one},test_type:unit" for one in (model, "path:models/intermediate/sources")]
    with settings(INTERPRETED):
        assert built.dbt("test", "--select", *tests, variables=given), built.failures()
    tested = {one.node.fqn[-2] for one in built.results if one.node.resource_type == "unit_test"}
    parts = ("arrivals", "records", "runs")
    adapters = {f"int_{history.type}__{part}" for history in histories for part in parts}
    assert tested >= {model, *adapters}


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
