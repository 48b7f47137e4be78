"""`make serve`: one warm Spark for this clone (Connect and Thrift), with the pages on it.

Builds with the target `connect` and BI tools use the same Spark. With SYNC_LOGS_WATCH=1 it also
builds automatically when the lake has new files.
"""

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import uvicorn

from dbt_sync_logs.checks import EmbeddedSparkError
from dbt_sync_logs.runner import PROJECT, schema
from scripts.serve.cluster import cluster
from scripts.serve.spark import free_ports, home_of_clone, ports_of_spark, started
from scripts.serve.watch import watch_seconds
from sync_logs_viewer import settings
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.masks import VARIABLE, MaskError, mask_of
from sync_logs_viewer.serving import end_process, run, server
from sync_logs_viewer.warehouse import connect_warehouse
from sync_logs_viewer.warehouse.notes import HOST, Spark, running_at
from sync_logs_viewer.web.app import application

WATCH = "SYNC_LOGS_WATCH"
CLUSTER_PORT, DEFAULT_CLUSTER_PORT = "SYNC_LOGS_CLUSTER_PORT", "7077"
FILE_FORMAT = "SYNC_LOGS_FILE_FORMAT"


def main() -> int:
    """Serve until it is interrupted; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make serve", description=__doc__)
    parser.add_argument("--without-viewer", action="store_true", help="Spark alone")
    parser.add_argument("--cluster", action="store_true", help="run tasks on a cluster")
    given = parser.parse_args()
    os.environ.pop("SYNC_LOGS_TARGET", None)
    os.environ.pop("SPARK_REMOTE", None)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with ExitStack() as stack:
            return _serve(stack, given.without_viewer, given.cluster)
    except KeyboardInterrupt:
        return 0
    except (EmbeddedSparkError, MaskError, settings.SettingError) as error:
        print(f"serve: {error}", file=sys.stderr)
        return 1


def _serve(stack: ExitStack, without_viewer: bool, on_cluster: bool) -> int:
    # faults in the settings are reported before Spark starts
    mask = mask_of(os.environ.get(VARIABLE))
    settings.download_rows()
    watch_seconds()
    home = home_of_clone()
    spark, process = running_at(home), None
    of_viewer = {} if without_viewer else {settings.PORT: str(settings.port())}
    ports = free_ports({**of_viewer, **(ports_of_spark() if spark is None else {})})
    port = ports.get(settings.PORT, 0)
    if spark is None:
        master = stack.enter_context(_cluster(home)) if on_cluster else None
        spark, process = stack.enter_context(started(home, master))
    elif on_cluster:
        raise EmbeddedSparkError(f"A Spark without a cluster already serves {home}. Stop it first.")
    else:
        print(f"serve: joining the running Spark at {spark.remote}.", flush=True)
    if os.environ.get(WATCH, "") not in ("", "0"):
        stack.enter_context(_watching(spark))
    if without_viewer:
        _say_what_next(home, spark, None)
        return _wait(process, home)
    answers = Answers(connect_warehouse(spark.remote, schema()), mask)
    pages = server(application(answers, is_kept_warm=True), HOST, port)
    if process is not None:
        ended = threading.Thread(target=_end_with, args=(process, pages, home), daemon=True)
        ended.start()
    run(pages, lambda: _say_what_next(home, spark, port))
    return 0 if process is None or process.poll() is None else 1


def _say_what_next(home: Path, spark: Spark, port: int | None) -> None:
    if port is not None:
        print(f"\n  Pages          http://{HOST}:{port}/")
    print(
        f"  Spark Connect  {spark.remote}\n"
        f"  Thrift (BI)    jdbc:hive2://{HOST}:{spark.thrift_port}/{schema()}\n\n"
        f"The warehouse is in {home}. To build into it from another terminal:\n"
        f"  export SYNC_LOGS_TARGET=connect SPARK_REMOTE={spark.remote}{_of_format()}\n"
        "  .venv/bin/dbt build --profiles-dir profiles\n"
        "Ctrl-C stops everything.",
        flush=True,
    )


def _of_format() -> str:
    """The setting that a build in another terminal needs too, if it is not the default."""
    file_format = os.environ.get(FILE_FORMAT)
    return f" {FILE_FORMAT}={file_format}" if file_format else ""


def _wait(process: "subprocess.Popen[bytes] | None", home: Path) -> int:
    if process is None:
        print("serve: nothing to do: that Spark is already running.", file=sys.stderr)
        return 1
    process.wait()
    _say_ended(home)
    return 1


def _say_ended(home: Path) -> None:
    print(f"serve: Spark has ended unexpectedly; see {home / 'logs'}.", file=sys.stderr)


def _end_with(process: "subprocess.Popen[bytes]", pages: uvicorn.Server, home: Path) -> None:
    """End the pages if Spark ends on its own, before them."""
    process.wait()
    if not pages.should_exit:
        _say_ended(home)
        pages.should_exit = True


def _cluster(home: Path) -> AbstractContextManager[str]:
    ports = free_ports({CLUSTER_PORT: os.environ.get(CLUSTER_PORT) or DEFAULT_CLUSTER_PORT})
    print(f"serve: starting a cluster; its logs are in {home / 'cluster'} ...", flush=True)
    return cluster(home / "cluster", ports[CLUSTER_PORT])


@contextmanager
def _watching(spark: Spark) -> Iterator[None]:
    """A separate process that builds when files arrive in the lake."""
    environment = os.environ | {"SYNC_LOGS_TARGET": "connect", "SPARK_REMOTE": spark.remote}
    process = subprocess.Popen(
        [sys.executable, "-m", "scripts.serve.watch"],
        cwd=PROJECT,
        env=environment,
        start_new_session=True,
    )
    try:
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    try:
        code = main()
    except KeyboardInterrupt:
        code = 0
    end_process(code)
