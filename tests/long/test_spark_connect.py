"""The target `connect`: the same project on a Spark Connect server, which is part of PySpark."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.project import HOSTILE, of_server, run_checks
from scripts.serve.process import running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The URL of a server with its own catalog and warehouse, on a port that it chooses."""
    with running(of_server(tmp_path / HOSTILE)) as url:
        yield url
    assert (tmp_path / HOSTILE / "metastore").is_dir()


def test_the_project_builds_on_spark_connect(server: str, tmp_path: Path) -> None:
    outcome = run_checks(
        "long.connect_checks",
        tmp_path,
        tmp_path / HOSTILE,
        variables={"SPARK_REMOTE": server, "SYNC_LOGS_TARGET": "connect"},
    )
    said = outcome.stdout + outcome.stderr
    # dbt requests Hive support with every statement, and the server refuses each time
    assert "UserWarning" not in said
    assert "JVM stacktrace" not in said
