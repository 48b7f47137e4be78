"""The dbt unit tests: each rule of the models, with its own fixtures."""

from collections.abc import Callable

import pytest

from conftest import Warehouse
from helpers.unit_tests import (
    INTERPRETED,
    WITH_TABLES,
    make_files,
    make_tables,
    outcomes,
    settings,
    written,
)


def test_all_dbt_unit_tests_pass(
    warehouse: Callable[[], Warehouse], request: pytest.FixtureRequest
) -> None:
    """Run all unit tests, or only those of the models that `make check` passes."""
    models = request.config.getoption("--unit-tests-of").split()
    built = warehouse()
    make_files(built, models)
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
    make_tables(built)
    tests = "path:models/intermediate/sources,test_type:unit"
    with settings(INTERPRETED):
        assert built.dbt("test", "--select", tests, variables=WITH_TABLES), built.failures()
    expected = {name for name, (_, reads_tables) in written().items() if reads_tables}
    assert outcomes(built) == dict.fromkeys(expected, "pass")
