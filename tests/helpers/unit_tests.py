"""The dbt unit tests: what they need in a warehouse, and how they ended."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import yaml
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.growing_sources import variables, write
from helpers.project import PROJECT
from helpers.source_tables import put
from oracle import random_history, write_all
from oracle.random_drt import random_drt
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
HISTORIES = (random_hightouch(0), random_writeback(0), random_rudderstack(0), random_drt(0))
LANDED = ("int_records__landed", "int_facts__landed")
# the setting with these sources
WITH_TABLES = variables(HISTORIES, "2026-02-01T00:00:00Z", "")


def make_files(built: Warehouse, models: Iterable[str] = ()) -> None:
    """Create the tables of a small lake: all of them, or those that some models read.

    A unit test reads the columns of the relations that it mocks from the catalog.
    """
    write_all(built.lake, random_history(1))
    parents = [f"+{model}" for model in models]
    selected = ["--empty", "--select", *parents] if parents else []
    assert built.dbt("run", *selected), built.failures()


def make_tables(built: Warehouse) -> None:
    """Create the tables of vendors, and the tables that models with sources read."""
    built.start_spark()
    for history in HISTORIES:
        write(history, 0, put)
    selected = ["--empty", "--select", *(f"+{one}" for one in LANDED)]
    assert built.dbt("run", *selected, variables=WITH_TABLES), built.failures()


def written() -> dict[str, tuple[str, bool]]:
    """Each unit test in a file: its model, and whether that model is there only with tables."""
    found: dict[str, tuple[str, bool]] = {}
    for file in (PROJECT / "models").rglob("*.yml"):
        for one in (yaml.safe_load(file.read_text()) or {}).get("unit_tests", []):
            assert one["name"] not in found, one["name"]
            reads_tables = "sources" in file.parts
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
