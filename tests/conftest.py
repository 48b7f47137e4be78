"""One embedded Spark for all tests of a pytest process. Each test creates its own warehouses."""

import gc
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from dbt.adapters.spark.connections import SparkCredentials
from dbt.cli.main import dbtRunner
from pyspark import SparkContext
from pyspark.sql import SparkSession

from helpers.consumer_projects import consumer, parsed
from helpers.project import FEW_TASKS, PROJECT
from helpers.sensitive_project import write_sensitive_project
from scripts.dbt_v2 import NotInstalledError, program

SCHEMA = "sync_logs"
# A parsed project does not depend on these variables.
READ_BY_QUERIES = (
    *("sync_logs_as_of", "sync_logs_settle_minutes", "sync_logs_retention_days"),
    *("sync_logs_max_live_loads", "sync_logs_lake_moved", "sync_logs_lake_path"),
    "sync_logs_words",
)
# Parsed projects, by project, profiles, schema and the settings that a parse depends on.
_parsed: dict[tuple[Path, Path, str, str], Any] = {}


@dataclass
class Warehouse:
    """A schema of the embedded catalog that is built from one lake."""

    schema: str
    lake: Path
    target: Path
    project: Path = PROJECT
    profiles: Path = PROJECT / "profiles"
    results: list[Any] = field(default_factory=list)
    exception: BaseException | None = None
    said: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)

    def dbt(self, command: str, *args: str, variables: str = "{}") -> bool:
        """Run one dbt command in this process; true if it succeeded."""
        os.environ["SYNC_LOGS_SCHEMA"] = self.schema
        os.environ["SYNC_LOGS_LAKE_PATH"] = self.lake_path()
        common = ["--project-dir", str(self.project), "--profiles-dir", str(self.profiles)]
        common += ["--target-path", str(self.target), "--log-path", str(self.target / "logs")]
        common += ["--quiet", "--vars", variables]
        manifest = self._manifest(common, variables)
        self.said, self.queries = [], []
        runner = dbtRunner(manifest, callbacks=[self._listen])
        outcome = runner.invoke([command, *args, *common, "--no-write-json"])
        self.results = list(getattr(outcome.result, "results", None) or [])
        self.exception = outcome.exception
        return bool(outcome.success)

    def start_spark(self) -> None:
        """Let dbt start the session, with its settings, before a test writes tables."""
        # `show` refuses a warehouse on disk in which nothing is built yet
        assert self.dbt("compile", "--inline", "select 1"), self.failures()

    def lake_path(self) -> str:
        """The root of the lake, as dbt is told it."""
        return str(self.lake)

    def _manifest(self, common: list[str], variables: str) -> Any:
        """The parsed project, parsed once for all commands that differ only in what queries read.

        None if it does not parse; the command then reports why.
        """
        settings = yaml.safe_load(variables)
        given = {name: settings[name] for name in settings if name not in READ_BY_QUERIES}
        key = (
            self.project,
            self.profiles,
            self.schema,
            json.dumps(given, sort_keys=True, default=str),
        )
        if key not in _parsed:
            _parsed[key] = dbtRunner().invoke(["parse", *common]).result
            # the manifest stays in memory; excluding its many objects speeds up garbage collection
            gc.freeze()
        return _parsed[key]

    def operation(self, macro: str, variables: str = "{}", **arguments: object) -> bool:
        """Run one operation of the project; true if it succeeded."""
        # dbt reads YAML, which does not join escaped surrogate pairs
        text = json.dumps(arguments, ensure_ascii=False)
        return self.dbt("run-operation", macro, "--args", text, variables=variables)

    def _listen(self, event: Any) -> None:
        if event.info.name == "SQLQuery":
            self.queries.append(str(event.data.sql))
        elif event.info.level != "debug":
            self.said.append(str(event.info.msg))

    def builds(self, variables: str = "{}", *args: str) -> bool:
        """Run `dbt build`; true if only the tests that name faulty files failed.

        Each of these tests must fail if and only if there are such files.
        """
        self.dbt("build", *args, variables=variables)
        unreadable, empty = set(), set()
        for row in self.rows("lake_file_issues"):
            if row["issue"] == "empty file":
                empty = {"assert_no_file_is_empty"}
            elif row["file_kind"] != "other" and not row["issue"].endswith("its run was pruned"):
                unreadable = {"assert_every_file_is_readable"}
        failed = {one.node.name for one in self.results if str(one.status) in ("error", "fail")}
        return failed == unreadable | empty

    def failures(self) -> str:
        """What failed in the last command, for an assertion message."""
        bad = [one for one in self.results if str(one.status) in ("error", "fail")]
        return "\n".join(map(self._failure, bad)) or str(self.exception)

    def _failure(self, result: Any) -> str:
        # the result of an operation has neither a message nor a node
        node = getattr(result, "node", None)
        name = result.unique_id if node is None else node.name
        return f"{name}: {result.message or self.said}"

    def failed(self) -> list[str]:
        """The names of the models and tests that failed in the last command."""
        bad = [one.node.name for one in self.results if str(one.status) in ("error", "fail")]
        return sorted(bad)

    def compiled(self, *calls: str) -> list[str]:
        """The SQL that macro calls compile to, all with one command."""
        mark = "-- and --"
        inline = mark.join(f"{{{{ sync_logs.{call} }}}}" for call in calls)
        assert self.dbt("compile", "--inline", inline), self.failures()
        return str(self.results[0].node.compiled_code).split(mark)

    def rows(self, table: str, suffix: str = "") -> list[dict[str, Any]]:
        """All rows of a documented table, or of a table in the schema with that suffix."""
        # dbt's worker threads created the session, so it is not the active session of this thread
        session = SparkSession.builder.getOrCreate()
        return [row.asDict() for row in session.table(f"{self.schema}{suffix}.{table}").collect()]

    def tables(self, names: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
        """All rows of documented tables; Spark plans the next table while it reads one."""
        asked = list(names)
        with ThreadPoolExecutor(2) as pool:
            return dict(zip(asked, pool.map(self.rows, asked), strict=True))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Models whose unit tests run, for `make check`, and the mode of Spark."""
    parser.addoption("--unit-tests-of", default="", help="models, separated by spaces")
    parser.addoption("--ansi", action="store_true", help="ANSI mode, as a Thrift server has it")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that share a Spark; the others run in parallel (`scripts/test.py`)."""
    for item in items:
        if "home" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared_spark)


@pytest.fixture(scope="session")
def ansi_mode(request: pytest.FixtureRequest) -> Iterator[None]:
    """With `--ansi`, builds run in ANSI mode, which dbt-spark turns off for every session."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--ansi"):
            turn_off = SparkCredentials.__post_init__

            def turn_on(credentials: SparkCredentials) -> None:
                turn_off(credentials)
                credentials.server_side_parameters["spark.sql.ansi.enabled"] = "true"

            patch.setattr(SparkCredentials, "__post_init__", turn_on)
        yield


@pytest.fixture(scope="session")
def v2() -> Path:
    """The program of dbt v2."""
    try:
        return program()
    except NotInstalledError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, ansi_mode: None) -> Iterator[Path]:
    """The folder of the warehouse for the whole process, which keeps the catalog in memory.

    Derby and Hive would take a quarter of the time of a build with little data. Tests whose builds
    run in their own processes use them, and so does every test with `SYNC_LOGS_CATALOG=hive`.
    """
    folder = tmp_path_factory.mktemp("home")
    before = dict(os.environ)
    os.environ["SYNC_LOGS_HOME"] = str(folder)
    os.environ.setdefault("SYNC_LOGS_CATALOG", "in-memory")
    os.environ.update(FEW_TASKS | os.environ)
    yield folder
    # otherwise DuckDB reports at the end that its objects leaked
    gc.unfreeze()
    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def parsed_project() -> Any:
    """The manifest of the project; parsing needs no Spark."""
    return parsed(PROJECT, profiles=PROJECT / "profiles")


@pytest.fixture(scope="session")
def parsed_consumer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The manifest of a project that uses the package."""
    folder = tmp_path_factory.mktemp("parsed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUSTOMER_HOME", str(folder))
        return parsed(consumer(folder / "project"))


@pytest.fixture(scope="session")
def sensitive_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with other limits for checkpoints."""
    return write_sensitive_project(tmp_path_factory.mktemp("sensitive") / "project")


@pytest.fixture(scope="module")
def module_warehouse(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """A warehouse that the tests of a module share."""
    folder = tmp_path_factory.mktemp("module")
    built = Warehouse(SCHEMA, folder / "lake", folder / "target")
    yield built
    drop(built.schema, home)


@pytest.fixture(scope="module")
def unbuilt(module_warehouse: Warehouse) -> Warehouse:
    """A warehouse that no test of the module builds, so all of them share it."""
    return module_warehouse


@pytest.fixture
def warehouse(home: Path, tmp_path: Path) -> Iterator[Callable[..., Warehouse]]:
    """Make a warehouse that is built from the lake `tmp_path / "lake"`.

    It is dropped after the test, so the next test can use the same schema, for which dbt has
    already parsed the project. A test with two warehouses names their schemas.
    """
    made: set[str] = set()

    def make(schema: str = SCHEMA) -> Warehouse:
        made.add(schema)
        return Warehouse(schema, tmp_path / "lake", tmp_path / "target")

    yield make
    for schema in made:
        drop(schema, home)


def drop(schema: str, home: Path) -> None:
    """Drop a schema and all schemas that begin with its name, and their remains on disk."""
    if SparkContext._active_spark_context is None:
        return
    session = SparkSession.builder.getOrCreate()
    folder = session.conf.get("spark.sql.warehouse.dir")
    assert str(home) in folder, f"a test started Spark in {folder} before dbt: see start_spark"
    session.catalog.setCurrentDatabase("default")
    for found in session.catalog.listDatabases(f"{schema}*"):
        session.sql(f"drop schema {found.name} cascade")
        # tables of killed builds are not in any catalog
        shutil.rmtree(home / "warehouse" / f"{found.name}.db", ignore_errors=True)
