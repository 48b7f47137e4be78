"""What docs/bi.md says about BI tools, with real clients on the Spark of `make serve`.

Install SQLAlchemy by hand. For Superset (808 MB), set SUPERSET_VENV to an environment that has it,
or set SYNC_LOGS_SUPERSET=1 to install one.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyspark
import pytest

from helpers import viewer_lake as lake
from helpers.project import FEW_TASKS, PROJECT, succeeded
from scripts.serve.process import running
from sync_logs_viewer.warehouse.notes import running_at

BEELINE = Path(pyspark.__file__).parent / "bin" / "beeline"


@dataclass(frozen=True)
class Served:
    """A warehouse behind a Thrift server."""

    port: int
    environment: dict[str, str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The tables of a small lake, built on the Spark that serves them."""
    folder = tmp_path_factory.mktemp("bi")
    lake.write_lake(folder / "lake", lake.LAKE)
    own = {
        "SYNC_LOGS_CATALOG": "hive",
        "SYNC_LOGS_HOME": str(folder / "home"),
        "SYNC_LOGS_LAKE_PATH": str(folder / "lake"),
        "SYNC_LOGS_SCHEMA": "sync_logs",
        "DBT_PROFILES_DIR": str(PROJECT / "profiles"),
    }
    kept = {name: value for name, value in os.environ.items() if name != "SPARK_REMOTE"}
    environment = kept | FEW_TASKS | own
    with running(environment) as url:
        spark = running_at(folder / "home")
        assert spark is not None
        environment |= {
            "SYNC_LOGS_TARGET": "connect",
            "SPARK_REMOTE": url,
            "SYNC_LOGS_THRIFT_PORT": str(spark.thrift_port),
        }
        dbt = str(Path(sys.executable).with_name("dbt"))
        target = ["--target-path", str(folder / "target"), "--quiet"]
        told = subprocess.run([dbt, "run", *target], cwd=PROJECT, env=environment, check=False)
        assert told.returncode == 0
        yield Served(spark.thrift_port, environment)


def test_beeline(served: Served) -> None:
    told = succeeded(
        [
            *(str(BEELINE), "-u", f"jdbc:hive2://127.0.0.1:{served.port}/sync_logs"),
            *("-n", "viewer", "--outputformat=csv2", "--silent=true"),
            *("-e", "select organization_id, run_count from sync_statistics order by 1"),
        ],
        served.environment | {"SPARK_HOME": str(BEELINE.parents[1])},
    )
    assert told.stdout.splitlines()[-2:] == ["o,3", "p,1"]


def test_sqlalchemy(served: Served) -> None:
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed")
    engine = sqlalchemy.create_engine(f"hive://viewer@127.0.0.1:{served.port}/sync_logs")
    with engine.connect() as connection:
        query = sqlalchemy.text("select run_count from sync_statistics where organization_id = :o")
        assert connection.execute(query, {"o": "o"}).fetchall() == [(3,)]
        tables = [row[1] for row in connection.execute(sqlalchemy.text("show tables"))]
    assert "sync_runs" in tables
    inspected = sqlalchemy.inspect(engine)
    assert set(inspected.get_table_names()) == {"sync_logs"}, "PyHive was fixed: update docs/bi.md"
    assert "sync_run_id" in [one["name"] for one in inspected.get_columns("sync_runs")]


@pytest.mark.skipif(
    not (os.environ.get("SUPERSET_VENV") or os.environ.get("SYNC_LOGS_SUPERSET")),
    reason="neither SUPERSET_VENV nor SYNC_LOGS_SUPERSET is set",
)
def test_superset(served: Served, tmp_path: Path) -> None:
    command = [str(PROJECT / "scripts" / "bi" / "superset.sh"), "--once"]
    told = succeeded(command, served.environment | {"SUPERSET_HOME": str(tmp_path)})
    for table in ("sync_statistics", "errors_by_sync", "sync_activity_daily", "sync_runs"):
        assert f"({table}): " in told.stdout
