"""Build a lake in this process and write the result to a file: for killed builds."""

import pickle
import sys
from pathlib import Path
from urllib.parse import unquote, urlparse

from pyspark.sql import SparkSession

from conftest import SCHEMA, Warehouse
from helpers.killed_builds import Built
from helpers.project import FILE_FORMAT
from oracle import COLUMNS


def build(folder: Path, variables: str) -> Warehouse:
    """Build `folder/lake`, or the sources that the variables name."""
    warehouse = Warehouse(SCHEMA, folder / "lake", folder / "target")
    if not warehouse.builds(variables):
        sys.exit(warehouse.failures())
    return warehouse


def read(warehouse: Warehouse) -> Built:
    """The current tables and loads."""
    session = SparkSession.builder.getOrCreate()
    state = state_tables(session)
    return Built(
        tables=warehouse.tables(COLUMNS),
        loads={location(session, table): loads_of(session, table) for table in state},
        needed_loads=needed_loads(session, state),
    )


def state_tables(session: SparkSession) -> list[str]:
    """The tables of the warehouse that are partitioned by load."""
    tables = []
    for schema in session.catalog.listDatabases():
        for table in session.catalog.listTables(schema.name):
            name = f"{schema.name}.{table.name}"
            if table.tableType == "VIEW" or table.isTemporary:
                continue
            columns = session.catalog.listColumns(name)
            if any(column.isPartition and column.name == "load_id" for column in columns):
                tables.append(name)
    return tables


def loads_of(session: SparkSession, table: str) -> set[str]:
    """The loads of a table that the catalog knows."""
    if FILE_FORMAT != "parquet":
        return {row[0] for row in session.table(table).select("load_id").distinct().collect()}
    rows = session.sql(f"show partitions {table}").collect()
    return {row["partition"].removeprefix("load_id=") for row in rows}


def location(session: SparkSession, table: str) -> str:
    """The folder of a table."""
    rows = session.sql(f"describe formatted {table}").collect()
    (found,) = (row["data_type"] for row in rows if row["col_name"] == "Location")
    return unquote(urlparse(found).path)


def needed_loads(session: SparkSession, tables: list[str]) -> set[str]:
    """All commits, and every load that the manifests of the last two commits name.

    Loads of older commits are dropped over time. A load of a killed build must be dropped by the
    next build.
    """
    current = session.table(f"{SCHEMA}_state.sync_load_current").collect()[0]["load_id"]
    commits = session.table(f"{SCHEMA}.sync_loads").collect()
    committed = {row["load_id"] for row in commits} | {current}
    # idle builds have no manifest
    with_manifest = loads_of(session, f"{SCHEMA}_state.int_files__landed")
    kept = sorted(committed & with_manifest)[-2:]
    needed = set(committed)
    for table in tables:
        names = [name for name in session.table(table).columns if name.endswith("_load_id")]
        # the history of builds names loads that were dropped long ago
        for name in set(names) - {"recorded_load_id"}:
            rows = session.table(table).where(f"load_id in ({str(kept)[1:-1]})").select(name)
            needed |= {row[name] for row in rows.distinct().collect()}
    return needed - {None}


def main(folder: Path, variables: str) -> None:
    """Build, and write the result to `folder/built.pickle`."""
    (folder / "built.pickle").write_bytes(pickle.dumps(read(build(folder, variables))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
