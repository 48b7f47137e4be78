"""A Spark standalone cluster on this machine: one master and two workers, all from PySpark.

It shows that builds work where executors are processes of their own, as on a real cluster. Every
process listens on loopback only. Each worker has its own folder for shuffle files and logs.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark

from dbt_sync_logs.checks import EmbeddedSparkError
from sync_logs_viewer.warehouse.notes import HOST

SPARK = Path(pyspark.__file__).parent
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
WORKER_COUNT = 2
MEMORY, CORES = "2g", "1"
SECONDS_TO_START = 60


@contextmanager
def cluster(folder: Path, port: int) -> Iterator[str]:
    """Start a cluster and end it with the block; gives the URL of its master.

    Raises EmbeddedSparkError if a process does not start.
    """
    url = f"spark://{HOST}:{port}"
    with ExitStack() as stack:
        master = [MASTER, "--host", HOST, "--port", str(port), "--webui-port", "0"]
        stack.enter_context(_process(folder / "master", master, "I have been elected leader"))
        for number in range(1, WORKER_COUNT + 1):
            own = folder / f"worker{number}"
            worker = [WORKER, "--host", HOST, "--webui-port", "0", "--work-dir", str(own / "work")]
            worker += ["--cores", CORES, "--memory", MEMORY, url]
            stack.enter_context(_process(own, worker, "Successfully registered with master"))
        yield url


def executor_settings(settings: Mapping[str, str], master: str) -> dict[str, str]:
    """Settings of a profile for a driver whose executors run on a cluster."""
    on_executors = {
        "spark.master": master,
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.executor.memory": "1g",
        "spark.pyspark.python": sys.executable,
    }
    if jars := settings.get("spark.driver.extraClassPath"):
        on_executors["spark.executor.extraClassPath"] = str(Path(jars).absolute())
    return {**settings, **on_executors}


@contextmanager
def _process(folder: Path, command: list[str], ready: str) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(SPARK / "bin" / "spark-class"), *command],
            env=os.environ | {"SPARK_HOME": str(SPARK), "SPARK_LOCAL_DIRS": str(folder)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait(process, log, ready)
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", log: Path, ready: str) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        if ready in log.read_text(errors="replace"):
            return
        time.sleep(0.2)
    raise EmbeddedSparkError(f"The cluster did not start; see {log}.")
