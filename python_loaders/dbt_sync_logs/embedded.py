"""Start of the embedded Spark: checks first, then the session, with its noise in a log file."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from logging import CRITICAL
from pathlib import Path
from threading import Lock
from typing import Any

from dbt_common.exceptions import DbtRuntimeError

from .checks import EmbeddedSparkError, check_java, hold_catalog, make_home

CATALOG_SETTING = "spark.hadoop.javax.jdo.option.ConnectionURL"
DISK_FULL = "No space left on device"
_prepared: set[Path] = set()
# dbt opens connections in several threads at once
_preparing = Lock()


class EmbeddedSparkRuntimeError(DbtRuntimeError):
    """The embedded Spark cannot start, as dbt reports it: the message alone."""

    def __str__(self) -> str:
        return str(self.msg)


def prepare_once(credentials: Any) -> None:
    """Check and start the embedded Spark of a connection; nothing for any other connection.

    Raises DbtRuntimeError with one or two sentences that say what to do.
    """
    home = embedded_home(credentials)
    if home is None:
        return
    with _preparing:
        if home in _prepared:
            return
        try:
            make_home(home)
            check_java()
            hold_catalog(home)
            start_session(credentials.server_side_parameters, home / "logs" / "spark.log")
        except EmbeddedSparkError as error:
            raise EmbeddedSparkRuntimeError(str(error)) from None
        _prepared.add(home)


@contextmanager
def explain(credentials: Any) -> Iterator[None]:
    """Say in one line what a full disk says in hundreds; dbt's debug log keeps them all."""
    try:
        yield
    except DbtRuntimeError as error:
        home = embedded_home(credentials)
        said = str(error.msg)
        # without a stack of the JVM it is the check at the start, which is clear already
        if home is None or DISK_FULL not in said or "\tat " not in said:
            raise
        raise EmbeddedSparkRuntimeError(
            f"{DISK_FULL}: the disk of {home}, or that of Spark's temporary files, is full. "
            "Make room and run the command again; there is nothing to repair."
        ) from None


def embedded_home(credentials: Any) -> Path | None:
    """Folder of the embedded catalog and warehouse; None if the connection has no such thing."""
    if str(getattr(credentials, "method", "")) not in ("session", "SparkConnectionMethod.SESSION"):
        return None
    if os.environ.get("SPARK_REMOTE"):
        return None
    url = str((credentials.server_side_parameters or {}).get(CATALOG_SETTING, ""))
    found = re.match(r"jdbc:derby:;?.*databaseName=([^;]+)/metastore(;|$)", url)
    return Path(found.group(1)).absolute() if found else None


def start_session(settings: dict[str, str], log_file: Path) -> None:
    """Start the session as dbt-spark would, with the JVM's standard error in `log_file`."""
    from pyspark.sql import SparkSession

    _silence_handled_errors()
    builder = SparkSession.builder.enableHiveSupport()
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        with standard_error_in(log_file):
            builder.getOrCreate()
    except Exception as error:
        raise EmbeddedSparkError(
            f"Spark did not start: {str(error).splitlines()[0]} The whole story is in {log_file}."
        ) from None


def _silence_handled_errors() -> None:
    # PySpark 4 writes a stack as JSON for each error, also for those that dbt reports itself
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        return
    PySparkLogger.getLogger("SQLQueryContextLogger").setLevel(CRITICAL)


@contextmanager
def standard_error_in(log_file: Path) -> Iterator[None]:
    """Send this process's standard error, and for good that of its new children, to a file."""
    kept = os.dup(2)
    with log_file.open("ab") as log:
        os.dup2(log.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
