"""One embedded Spark for all tests of a pytest process; each warehouse is a schema of its own."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from dbt.cli.main import dbtRunner
from pyspark import SparkContext
from pyspark.sql import SparkSession

PROJECT = Path(__file__).resolve().parents[2]


@dataclass
class Warehouse:
    """A schema of the embedded catalog that is built from one lake."""

    schema: str
    lake: Path
    target: Path
    results: list[Any] = field(default_factory=list)
    exception: BaseException | None = None

    def dbt(self, command: str, *args: str, variables: str = "{}") -> bool:
        """Run one dbt command in this process; true if it succeeded."""
        os.environ["SYNC_LOGS_SCHEMA"] = self.schema
        os.environ["SYNC_LOGS_LAKE_PATH"] = str(self.lake)
        common = ["--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT / "profiles")]
        common += ["--target-path", str(self.target), "--log-path", str(self.target / "logs")]
        outcome = dbtRunner().invoke([command, *args, *common, "--quiet", "--vars", variables])
        self.results = list(getattr(outcome.result, "results", None) or [])
        self.exception = outcome.exception
        return bool(outcome.success)

    def builds(self, variables: str = "{}") -> bool:
        """Run `dbt build`; true if nothing failed but the test that names unreadable files.

        That one fails if there are such files, and only then.
        """
        succeeded = self.dbt("build", variables=variables)
        unreadable = [row for row in self.rows("lake_file_issues") if row["file_kind"] != "other"]
        failed = [one.node.name for one in self.results if str(one.status) in ("error", "fail")]
        expected = ["assert_every_file_is_readable"] if unreadable else []
        return failed == expected and succeeded is not bool(unreadable)

    def failures(self) -> str:
        """What went wrong in the last command, for the message of an assertion."""
        bad = [one for one in self.results if str(one.status) in ("error", "fail")]
        return "\n".join(f"{one.node.name}: {one.message}" for one in bad) or str(self.exception)

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a documented table."""
        # dbt's worker threads made the session, so it is not this thread's active one
        session = SparkSession.builder.getOrCreate()
        return [row.asDict() for row in session.table(f"{self.schema}.{table}").collect()]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the catalog and the warehouse, for the whole process."""
    folder = tmp_path_factory.mktemp("home")
    before = dict(os.environ)
    os.environ["SYNC_LOGS_HOME"] = str(folder)
    yield folder
    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def warehouse(home: Path, tmp_path: Path) -> Callable[[str], Warehouse]:
    """Make a warehouse: a name gives a schema, built from the lake `tmp_path / "lake"`."""

    def make(name: str) -> Warehouse:
        return Warehouse(name, tmp_path / "lake", tmp_path / "target")

    return make
