"""The stored state of schema version 1. Run as a program, it restores it into its own warehouse.

`tests/fixtures/state_version_1.tar.gz` is what version 1 left after two builds of a small lake: the
lake, the state tables with their columns, and the committed load. It never changes.
"""

import json
import shutil
import sys
import tarfile
from datetime import timedelta
from pathlib import Path

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.project import PROJECT
from oracle.random_words import DAY_ONE

STORED = PROJECT / "tests" / "fixtures" / "state_version_1.tar.gz"
# the as-of time of the second build
BUILT_AS_OF = DAY_ONE + timedelta(minutes=300)


def unpack(folder: Path, within: str = "") -> None:
    """Put the lake into `folder/lake`, the tables into `folder/state`, the rest next to them.

    Or unpack only one folder of the archive. Nothing is written outside `folder`; Python before
    3.11.4 has neither such a filter nor an argument for one.
    """
    with tarfile.open(STORED) as stored:
        stored.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        members = [one for one in stored.getmembers() if one.name.startswith(within)]
        stored.extractall(folder, members)


def unpack_lake(folder: Path) -> None:
    """Add the lake, and nothing else, to `folder/lake`."""
    unpack(folder, within="lake/")


def restore(schema: str, home: Path, folder: Path) -> None:
    """Register the unpacked tables in the catalog of this process, whose warehouse is in `home`."""
    session = SparkSession.builder.getOrCreate()
    stored = json.loads((folder / "tables.json").read_text())
    session.sql(f"create schema {schema}_state")
    for table, columns in stored["tables"].items():
        listed = ", ".join(f"{name} {kind}" for name, kind in columns)
        name = f"{schema}_state.{table}"
        session.sql(f"create table {name} ({listed}) using parquet partitioned by (load_id)")
        place = home / "warehouse" / f"{schema}_state.db" / table
        shutil.copytree(folder / "state" / table, place, dirs_exist_ok=True)
        session.sql(f"msck repair table {name}")
    commit(schema, f"'{stored['load_id']}' as load_id")


def commit(schema: str, columns: str) -> None:
    """Publish a load as another version of the package would, with the columns of its commit."""
    session = SparkSession.builder.getOrCreate()
    session.sql(f"create or replace view {schema}_state.sync_load_current as select {columns}")


def main(home: Path, folder: Path) -> None:
    """Restore into an empty home; the stored files go to a folder."""
    unpack(folder)
    warehouse = Warehouse("sync_logs", folder / "lake", folder / "target")
    # dbt starts the catalog of the process
    if not warehouse.operation("sync_logs_doctor"):
        sys.exit(warehouse.failures())
    restore(warehouse.schema, home, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
