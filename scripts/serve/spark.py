"""One warm Spark for the warehouse of this clone: Spark Connect and the Thrift server in one JVM.

It holds the catalog, so no embedded Spark can use it at the same time.
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark

from dbt_sync_logs.checks import EmbeddedSparkError, check_jars
from dbt_sync_logs.embedded import embedded_home, prepare_home, settings_at
from dbt_sync_logs.runner import PROJECT, credentials
from scripts.serve.cluster import executor_settings
from sync_logs_viewer.warehouse.notes import HOST, Spark, leave_note, take_note_away

SPARK = Path(pyspark.__file__).parent
SERVER = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
CONNECT_PLUGIN = "org.apache.spark.sql.connect.SparkConnectPlugin"
CONNECT_PORT, THRIFT_PORT = "SYNC_LOGS_CONNECT_PORT", "SYNC_LOGS_THRIFT_PORT"
DEFAULT_PORTS = {CONNECT_PORT: 15002, THRIFT_PORT: 10000}
SECONDS_TO_START = 180


def home_of_clone() -> Path:
    """The folder of the catalog and the tables."""
    home: Path | None = embedded_home(credentials())
    if home is None:
        raise RuntimeError("Expected a default target with a catalog of its own in the profile.")
    return home


@contextmanager
def started(
    home: Path, master: str | None = None
) -> Iterator[tuple[Spark, "subprocess.Popen[bytes]"]]:
    """Start Spark for a home and end it with the block. Raises EmbeddedSparkError.

    `master` is the URL of a cluster that runs its tasks; None: the same process runs them.
    """
    ports = free_ports(ports_of_spark())
    check_connect(SPARK / "jars")
    check_jars(credentials().server_side_parameters)
    for line in prepare_home(home):
        print(f"serve: {line}")
    log = home / "logs" / "server.log"
    print(f"serve: starting Spark; its log is {log} ...", flush=True)
    settings = settings_at(home, credentials().server_side_parameters)
    if master is not None:
        settings = executor_settings(settings, master)
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(settings, ports),
            cwd=PROJECT,
            env=os.environ | {"SPARK_HOME": str(SPARK)},
            stdout=output,
            stderr=output,
            # Ctrl-C must reach only this process: the pages end first
            start_new_session=True,
        )
    spark = Spark(ports[CONNECT_PORT], ports[THRIFT_PORT], process.pid)
    try:
        _wait(spark, process, log)
        leave_note(home, spark)
        yield spark, process
    finally:
        take_note_away(home, spark)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def check_connect(jars: Path) -> None:
    """Raises EmbeddedSparkError if there is no Connect server among the jars of PySpark."""
    if not any(jars.glob("spark-connect_*.jar")):
        raise EmbeddedSparkError(
            f"PySpark {pyspark.__version__} has no Spark Connect server, which this command needs. "
            "Install Spark 4: `.venv/bin/pip install -r requirements.lock`."
        )


def ports_of_spark() -> dict[str, str]:
    """The ports of Spark that the environment sets, by variable."""
    return {name: os.environ.get(name) or str(port) for name, port in DEFAULT_PORTS.items()}


def free_ports(given: Mapping[str, str]) -> dict[str, int]:
    """The ports that variables set; 0: a free one. Raises EmbeddedSparkError, which names all."""
    found, taken = {}, {}
    with ExitStack() as probes:
        for variable, port in given.items():
            try:
                found[variable] = _bound(probes.enter_context(socket.socket()), port)
            except (OSError, OverflowError, ValueError) as error:
                taken[variable] = f"Port {port} is not available ({error})."
    if taken:
        exports = " ".join(f"{variable}=0" for variable in taken)
        raise EmbeddedSparkError(
            f"{' '.join(taken.values())} Is a server already running? "
            f"Otherwise: export {exports}, for free ports."
        )
    return found


def _bound(probe: socket.socket, port: str) -> int:
    # as the server itself does: a port whose server has just ended counts as free
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind((HOST, int(port)))
    return int(probe.getsockname()[1])


def _command(settings: Mapping[str, str], ports: Mapping[str, int]) -> list[str]:
    served = {
        **settings,
        "spark.app.name": "sync_logs_server",
        "spark.log.level": "WARN",
        "spark.sql.catalogImplementation": "hive",
        "spark.plugins": CONNECT_PLUGIN,
        # only this machine can reach it; to serve others, secure Spark with its own settings
        "spark.connect.grpc.binding.address": "localhost",
        "spark.connect.grpc.binding.port": str(ports[CONNECT_PORT]),
    }
    conf = [part for key, value in served.items() for part in ("--conf", f"{key}={value}")]
    thrift = {
        "hive.server2.thrift.port": str(ports[THRIFT_PORT]),
        "hive.server2.thrift.bind.host": HOST,
    }
    hiveconf = [part for key, value in thrift.items() for part in ("--hiveconf", f"{key}={value}")]
    submit = str(SPARK / "bin" / "spark-submit")
    return [submit, "--class", SERVER, *conf, "spark-internal", *hiveconf]


def _wait(spark: Spark, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        if spark.answers():
            return
        time.sleep(0.2)
    raise EmbeddedSparkError(f"Spark did not start; see {log}.")
