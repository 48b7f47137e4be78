"""The target `connect`: the same project on a Spark Connect server, which PySpark brings along."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

SPARK = Path(pyspark.__file__).parent
SECONDS_TO_START = 120


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """URL of a server with a catalog and a warehouse of its own, on a port that it chooses."""
    home = tmp_path / "server"
    home.mkdir()
    settings = {
        "spark.connect.grpc.binding.address": "localhost",
        "spark.connect.grpc.binding.port": "0",
        "spark.driver.memory": "2g",
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(home / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={home}/metastore;create=true"
        ),
        "spark.ui.enabled": "false",
    }
    command = [str(SPARK / "bin" / "spark-submit"), "--master", "local[2]"]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    command += [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
    environment = {key: value for key, value in os.environ.items() if key != "SPARK_REMOTE"}
    log = home / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "spark-internal"],
            cwd=home,
            env=environment | {"SPARK_HOME": str(SPARK)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield f"sc://localhost:{port_of(process, log)}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def port_of(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """The port, as soon as the server tells it."""
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        told = re.search(r"Spark Connect server started at: \S*:(\d+)", log.read_text())
        if told:
            return told.group(1)
        time.sleep(0.5)
    raise AssertionError(f"The server did not start:\n{log.read_text()}")


def test_the_project_builds_on_spark_connect(server: str, tmp_path: Path) -> None:
    script = Path(__file__).with_name("connect_checks.py")
    environment = os.environ | {
        "SPARK_REMOTE": server,
        "SYNC_LOGS_TARGET": "connect",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    outcome = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = outcome.stdout + outcome.stderr
    assert outcome.returncode == 0, said
    # dbt asks for Hive at every statement, and a server refuses each time
    assert "UserWarning" not in said
    assert "JVM stacktrace" not in said
