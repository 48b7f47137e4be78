"""A Spark Thrift server: the settings take effect, and a build gives the right tables.

dbt-spark cannot turn ANSI off over Thrift, so this also tests a build in ANSI mode.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

from helpers.project import FEW_TASKS, free_port, run_checks

SPARK = Path(pyspark.__file__).parent
SERVER = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
CONNECT = "org.apache.spark.sql.connect.SparkConnectPlugin"
SECONDS_TO_START = 180


def test_the_project_builds_over_thrift(tmp_path: Path) -> None:
    with running(tmp_path) as ports:
        outcome = run_checks(
            "long.thrift_checks",
            tmp_path,
            variables=FEW_TASKS
            | {
                "SYNC_LOGS_TARGET": "thrift",
                "SYNC_LOGS_THRIFT_PORT": str(ports[0]),
                "SPARK_REMOTE": f"sc://localhost:{ports[1]}",
            },
        )
    said = outcome.stdout + outcome.stderr
    of_plain_keys, of_the_clone = said.split("PROFILE OF THE CLONE")

    assert of_plain_keys.count("has no effect") == 3
    assert "set:hiveconf:spark.sql.session.timeZone" in of_plain_keys
    assert of_the_clone.count("as required") == 3
    assert "has no effect" not in of_the_clone
    assert re.search(r"ANSI mode +on;", of_the_clone)
    assert "set:hiveconf" not in of_the_clone


@contextmanager
def running(folder: Path) -> Iterator[tuple[int, int]]:
    """One JVM that serves Thrift and Connect; gives their ports. Its time zone is not UTC."""
    thrift, connect = free_port(), free_port()
    settings = {
        "spark.master": "local[2]",
        "spark.driver.memory": "2g",
        "spark.driver.extraJavaOptions": f"-Duser.timezone=Asia/Kathmandu "
        f"-Dderby.stream.error.file={folder / 'derby.log'} -XX:TieredStopAtLevel=1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={folder / 'metastore'};create=true"
        ),
        "spark.plugins": CONNECT,
        "spark.connect.grpc.binding.address": "localhost",
        "spark.connect.grpc.binding.port": str(connect),
    }
    conf = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    own = {"hive.server2.thrift.port": str(thrift), "hive.server2.thrift.bind.host": "127.0.0.1"}
    hive = [part for name, value in own.items() for part in ("--hiveconf", f"{name}={value}")]
    submit = [str(SPARK / "bin" / "spark-submit"), "--class", SERVER, *conf]
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*submit, "spark-internal", *hive],
            cwd=folder,
            env=os.environ | {"SPARK_HOME": str(SPARK)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        wait_for(process, log)
        yield thrift, connect
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def wait_for(process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while "HiveThriftServer2 started" not in log.read_text(errors="replace"):
        assert process.poll() is None, log.read_text(errors="replace")
        assert time.monotonic() < deadline, log.read_text(errors="replace")
        time.sleep(0.5)
