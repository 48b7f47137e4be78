"""One-off checks: build a few rows and look at the tables. CONTRIBUTING.md shows one."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark import SparkContext

from conftest import Warehouse
from helpers.project import FEW_TASKS
from oracle.lake import BatchFile
from oracle.writing import parquet, write_file

# deleted when the process ends
FOLDER = TemporaryDirectory(prefix="try-it-", ignore_cleanup_errors=True)


def build(*batches: BatchFile, variables: str = "{}") -> Warehouse:
    """Add batches to a lake, build it, and return its warehouse; again: with what came before."""
    folder = Path(FOLDER.name)
    # a process of tests has both, and its own Spark
    if SparkContext._active_spark_context is None:
        own = {"SYNC_LOGS_HOME": str(folder / "home"), "SYNC_LOGS_CATALOG": "in-memory"}
        os.environ.update(FEW_TASKS | own)
    built = Warehouse("try_it", folder / "lake", folder / "target")
    for one in batches:
        write_file(built.lake, parquet(one))
    assert built.dbt("run", variables=variables), built.failures()
    return built
