"""A growing lake with its tables in a catalog of Iceberg behind a REST server.

It runs in its own process, because its Spark has a jar and settings of its own. In the phase
`first`, Spark's own catalog is on disk. In the phase `restarted`, it is in memory, so that a new
Spark has forgotten the pointer tables.
"""

import pickle
import sys
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from conftest import SCHEMA, Warehouse
from helpers.retained_warehouse import Pair, files_holding
from long.s3_checks import OWN, PERSON, run_of_person, steps_of_lake
from oracle import Step, apply_step
from oracle.retention import Prune, Purge, Retained
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.warehouse import SessionWarehouse

CATALOG = "rest-catalog"


def first(folder: Path, pair: Pair) -> None:
    """Build with data tests, then with nothing new, and erase a record."""
    built, (step, *_) = pair.warehouse, steps_of_lake()
    refuse_parquet(folder)
    # only the audit, a Python model, finds such a file
    hidden = replace(run_of_person(0), path=run_of_person(0).path.replace("b.1", ".b.0"))
    pair.build(replace(step, writes=(*step.writes, hidden)), "build")
    issues = built.rows("lake_file_issues")
    assert hidden.path in {row["relative_path"] for row in issues}
    assert tables_outside() == set()

    pair.build(Step((), (), step.as_of), "run")
    assert [row["operation"] for row in built.rows("sync_loads")] == ["build", "build"]
    replaced = [query for query in built.queries if "create or replace view" in query]
    assert all("sync_load_building" in query for query in replaced), replaced
    pages = SessionWarehouse(SparkSession.builder.getOrCreate, SCHEMA, "this process")
    assert pages.ask(catalog.builds(1)).num_rows == 1
    assert built.operation("sync_logs_doctor"), built.failures()
    assert "Nothing has been built yet" not in str(built.said)

    stored = folder.parent / "server" / "warehouse"
    assert files_holding(stored, PERSON) != []
    pair.purge(Purge(OWN, PERSON))
    assert files_holding(stored, PERSON) == []


def restarted(folder: Path, pair: Pair) -> None:
    """Refuse another lake, then build, prune and collect."""
    built, steps = pair.warehouse, steps_of_lake()
    other = replace(built, lake=folder / "other")
    apply_step(other.lake, Step((run_of_person(7),), (), steps[1].as_of))
    assert not other.dbt("run")
    assert f"was built from the lake {built.lake}, and" in other.failures()
    for step in steps[1:]:
        pair.build(step, "run")
    pair.prune(Prune(steps[-1].as_of, retention_days=0.0625))
    assert pair.retained.pruned
    pair.collect()


def refuse_parquet(folder: Path) -> None:
    """Without the format, a build stops before it writes a table."""
    unset = Warehouse("unset", folder / "lake", folder / "target")
    assert not unset.dbt("run", variables='{"sync_logs_file_format": "parquet"}')
    assert f"the default catalog of this Spark is {CATALOG}" in unset.failures()


def tables_outside() -> set[str]:
    """The tables of Spark's own catalog without those that point at the lake."""
    session = SparkSession.builder.getOrCreate()
    schemas = [row[0] for row in session.sql("show schemas in spark_catalog").collect()]
    assert f"{SCHEMA}_lake" in schemas
    return {
        f"{schema}.{row['tableName']}"
        for schema in schemas
        if schema != f"{SCHEMA}_lake"
        for row in session.sql(f"show tables in spark_catalog.{schema}").collect()
    }


def main(phase: str, folder: Path) -> None:
    """Run one phase; the next one continues from what it leaves."""
    note = folder / "retained.pickle"
    retained = pickle.loads(note.read_bytes()) if note.exists() else Retained()
    assert isinstance(retained, Retained)
    pair = Pair(Warehouse(SCHEMA, folder / "lake", folder / "target"), retained)
    {"first": first, "restarted": restarted}[phase](folder, pair)
    note.write_bytes(pickle.dumps(pair.retained))
    SparkSession.builder.getOrCreate().stop()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
