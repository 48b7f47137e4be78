"""The dbt unit tests: each rule of the models, with its own fixtures."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import yaml
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.growing_sources import variables, write
from helpers.project import PROJECT
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

# one source of each type
HISTORIES = (random_hightouch(0), random_writeback(0), random_rudderstack(0))
RECEIVED = "int_records__received"


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
    expected = {
        name
        for name, (model, reads_tables) in written().items()
        if not reads_tables and (model in models or not models)
    }
    assert outcomes(built) == dict.fromkeys(expected, "pass")


def test_the_unit_tests_of_models_that_read_tables_of_vendors_pass(
    warehouse: Callable[..., Warehouse], request: pytest.FixtureRequest
) -> None:
    """These models are there only if the setting has a source of their type."""
    if request.config.getoption("--unit-tests-of"):
        pytest.skip("`make check` parses the project without sources")
    built = warehouse("unit_tests_of_sources")
    built.start_spark()
    for history in HISTORIES:
        write(history, 0, put)
    given = variables(HISTORIES, "2026-02-01T00:00:00Z", "")
    assert built.dbt("run", "--empty", "--select", f"+{RECEIVED}", variables=given), (
        built.failures()
    )
    tests = [f"{one},test_type:unit" for one in (RECEIVED, "path:models/intermediate/sources")]
    with settings(INTERPRETED):
        assert built.dbt("test", "--select", *tests, variables=given), built.failures()
    expected = {name for name, (_, reads_tables) in written().items() if reads_tables}
    assert outcomes(built) == dict.fromkeys(expected, "pass")


def written() -> dict[str, tuple[str, bool]]:
    """Each unit test in a file: its model, and whether that model is there only with tables."""
    found: dict[str, tuple[str, bool]] = {}
    for file in (PROJECT / "models").rglob("*.yml"):
        for one in (yaml.safe_load(file.read_text()) or {}).get("unit_tests", []):
            assert one["name"] not in found, one["name"]
            reads_tables = one["model"] == RECEIVED or "sources" in file.parts
            found[one["name"]] = (one["model"], reads_tables)
    assert found
    return found


def outcomes(built: Warehouse) -> dict[str, str]:
    """How each unit test of the last command ended. Its hooks have results too."""
    return {
        one.node.name: str(one.status)
        for one in built.results
        if one.node.resource_type != "operation"
    }


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
