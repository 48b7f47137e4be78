"""`make server`: the warehouse of this clone behind a Spark Connect server, which stays warm.

Each dbt command of the target `embedded` starts a Spark of its own; those of the target `connect`
find this one. It holds the catalog, so that no embedded Spark can have it at the same time.
"""

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyspark

from dbt_sync_logs.checks import EmbeddedSparkError
from dbt_sync_logs.embedded import embedded_home, prepare_home, settings_at
from python_loaders.demo.embedded import PROJECT, credentials

SPARK = Path(pyspark.__file__).parent
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
STARTED = re.compile(r"Spark Connect server started at: \S*:(\d+)")
READY = re.compile(r"SPARK_REMOTE=(sc://localhost:\d+)")
SECONDS_TO_START = 120


@contextmanager
def running(environment: Mapping[str, str]) -> Iterator[str]:
    """A server in a process of its own, on a port that is free: its URL.

    Raises `EmbeddedSparkError` if it does not start, or if it does not end well.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "scripts.server", "--port", "0"],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = (READY.search(line) for line in iter(process.stdout.readline, ""))
        url = next(filter(None, found), None)
        if url is None:
            raise EmbeddedSparkError("The server of `make server` did not start.")
        yield url.group(1)
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait()
    if code:
        raise EmbeddedSparkError(f"The server of `make server` ended with {code} instead of 0.")


def main() -> int:
    """Run the server until it is interrupted; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make server", description=__doc__)
    parser.add_argument("--port", default="15002", help="0: one that is free")
    port = parser.parse_args().port
    os.environ["SYNC_LOGS_TARGET"] = "embedded"
    os.environ.pop("SPARK_REMOTE", None)
    found = credentials()
    home = embedded_home(found)
    if home is None:
        raise RuntimeError("Expected a target `embedded` with a catalog of its own in the profile.")
    try:
        _check_port(port)
        for line in prepare_home(home):
            print(f"server: {line}")
    except EmbeddedSparkError as error:
        print(f"server: {error}", file=sys.stderr)
        return 1
    return _serve(home, _command(settings_at(home, found.server_side_parameters), port))


def _check_port(port: str) -> None:
    with socket.socket() as probe:
        # as the server itself does: what has just ended does not count
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("localhost", int(port)))
        except (OSError, OverflowError, ValueError) as error:
            raise EmbeddedSparkError(
                f"Port {port} cannot be had ({error}). Is a server running already? "
                "Else: make server PORT=15003"
            ) from None


def _command(settings: Mapping[str, str], port: str) -> list[str]:
    served = {
        **settings,
        "spark.app.name": "sync_logs_server",
        "spark.sql.catalogImplementation": "hive",
        # nobody else can reach it; a server for others has Spark's own ways to be secured
        "spark.connect.grpc.binding.address": "localhost",
        "spark.connect.grpc.binding.port": port,
    }
    conf = [part for key, value in served.items() for part in ("--conf", f"{key}={value}")]
    return [str(SPARK / "bin" / "spark-submit"), "--class", SERVER, *conf, "spark-internal"]


def _serve(home: Path, command: list[str]) -> int:
    log = home / "logs" / "server.log"
    print(f"server: starting; its log is {log} ...", flush=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=PROJECT,
            env=os.environ | {"SPARK_HOME": str(SPARK)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        url = f"sc://localhost:{_port(process, log)}"
        print(
            f"server: ready, with the warehouse in {home}. In another terminal:\n"
            f"  export SYNC_LOGS_TARGET=connect SPARK_REMOTE={url}\n"
            "  .venv/bin/dbt build --profiles-dir profiles\n"
            "Ctrl-C stops it.",
            flush=True,
        )
        process.wait()
        print(f"server: Spark has ended by itself; see {log}.", file=sys.stderr)
    except KeyboardInterrupt:
        return 0
    except EmbeddedSparkError as error:
        print(f"server: {error}", file=sys.stderr)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    return 1


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _port(process: "subprocess.Popen[bytes]", log: Path) -> str:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        told = STARTED.search(log.read_text(errors="replace"))
        if told:
            return told.group(1)
        time.sleep(0.2)
    raise EmbeddedSparkError(f"Spark did not start; see {log}.")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
