"""The Spark of the command line: embedded, quiet, UTC, without a metastore."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from dbt_sync_logs.java import JavaError, choose_java
from sync_logs_loader.errors import ConfigError
from sync_logs_loader.parquet_times import NANOS_AS_LONG


@contextmanager
def quiet_session(
    master: str = "local[*]", settings: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session that writes nothing to the terminal and leaves nothing in the working folder.

    `settings` are Spark settings, for example those of a catalog; they override the defaults.
    Raises `ConfigError` if Spark does not start.
    """
    _prepare_environment()
    scratch = Path(tempfile.mkdtemp(prefix="sync-logs-loader-"))
    defaults = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
    }
    builder = SparkSession.builder.master(master).appName("sync-logs-loader")
    for name, value in {**defaults, **(settings or {})}.items():
        builder = builder.config(name, value)
    try:
        spark = _start(builder, master, scratch / "spark.log")
        try:
            yield spark
        finally:
            spark.stop()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _start(builder: SparkSession.Builder, master: str, log: Path) -> SparkSession:
    try:
        with _stderr_to(log):
            spark = builder.getOrCreate()
            spark.sparkContext.setLogLevel("OFF")
            return spark
    except Exception as error:
        lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), str(error))
        raise ConfigError(
            f"Expected Spark to start with master {master!r}, but it did not: "
            f"{said} Check --master and --conf."
        ) from error


def _prepare_environment() -> None:
    """Choose the Java of this process's own Spark, and ignore any server in SPARK_REMOTE."""
    os.environ.pop("SPARK_REMOTE", None)
    try:
        other_java = choose_java()
    except JavaError as error:
        raise ConfigError(str(error)) from None
    if other_java:
        print(other_java, file=sys.stderr)


@contextmanager
def utc_settings(spark: SparkSession) -> Iterator[None]:
    """Read and write times as UTC, in the parquet type that every reader knows, then restore.

    Times in nanoseconds are read as integers, see `parquet_times`.
    """
    wanted = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        NANOS_AS_LONG: "true",
    }
    before = {name: spark.conf.get(name) for name in wanted}
    try:
        for name, value in wanted.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, old in before.items():
            spark.conf.set(name, old)


@contextmanager
def _stderr_to(log: Path) -> Iterator[None]:
    """Make processes that start within this block inherit a file as their stderr.

    The JVM and its launcher print warnings before any log level applies; only the file descriptor
    that they inherit can keep these off the terminal.
    """
    sys.stderr.flush()
    saved = os.dup(2)
    try:
        with log.open("wb") as target:
            os.dup2(target.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
