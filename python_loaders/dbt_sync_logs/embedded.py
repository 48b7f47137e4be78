"""Start of the embedded Spark: checks first, then the session, with its noise in a log file."""

import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from logging import CRITICAL
from pathlib import Path
from threading import Lock
from typing import Any

from dbt_common.exceptions import DbtRuntimeError

from . import class_archive
from .checks import EmbeddedSparkError, check_java, hold_catalog, make_home
from .relocation import follow_move

HOLDS_CATALOG = "spark.sync_logs.holdsCatalog"
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
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
    if is_session(credentials):
        silence_handled_errors()
    home = embedded_home(credentials)
    if home is None:
        return
    with _preparing:
        if home in _prepared:
            return
        try:
            moved_from = prepare_home(home)
            if moved_from is not None:
                _tell(f"The warehouse has moved from {moved_from} to {home}: its catalog follows.")
            start_session(credentials.server_side_parameters, home / "logs" / "spark.log")
        except EmbeddedSparkError as error:
            raise EmbeddedSparkRuntimeError(str(error)) from None
        _prepared.add(home)


def prepare_home(home: Path) -> Path | None:
    """Check the machine, take the catalog of a home for this process, let it follow a move.

    Returns where the warehouse was, or None if it has not moved. Raises EmbeddedSparkError.
    """
    make_home(home)
    check_java()
    hold_catalog(home)
    return follow_move(home)


def _tell(message: str) -> None:
    from dbt.adapters.events.logging import AdapterLogger

    AdapterLogger("sync_logs").info(message)


def is_session(credentials: Any) -> bool:
    """Whether a connection is of dbt-spark's method `session`, embedded or over Spark Connect."""
    method = getattr(credentials, "method", "")
    return str(method) in ("session", "SparkConnectionMethod.SESSION")


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
    if not is_session(credentials) or os.environ.get("SPARK_REMOTE"):
        return None
    url = str((credentials.server_side_parameters or {}).get(CATALOG_SETTING, ""))
    found = re.match(r"jdbc:derby:;?.*databaseName=([^;]+)/metastore(;|$)", url)
    return Path(found.group(1)).absolute() if found else None


def start_session(settings: dict[str, str], log_file: Path) -> None:
    """Start the session as dbt-spark would, with the JVM's standard error in `log_file`."""
    try:
        with standard_error_in(log_file):
            # tells the project that nobody else builds in this catalog
            session_with({**_with_class_archive(settings), HOLDS_CATALOG: "true"})
    except Exception as error:
        raise EmbeddedSparkError(
            f"Spark did not start: {str(error).splitlines()[0]} The whole story is in {log_file}."
        ) from None


def _with_class_archive(settings: dict[str, str]) -> dict[str, str]:
    options = class_archive.java_options()
    if not options:
        # an empty setting would hide that of spark-defaults.conf
        return settings
    return {**settings, JAVA_OPTIONS: f"{settings.get(JAVA_OPTIONS, '')} {options}".strip()}


def session_with(settings: dict[str, str]) -> Any:
    """The session as dbt-spark gets it for each statement."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.enableHiveSupport()
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def silence_handled_errors() -> None:
    """Keep PySpark from printing what dbt reports itself, and what a client cannot change."""
    # dbt-spark asks for Hive at every statement; the catalog of a server is the server's
    warnings.filterwarnings("ignore", message="Failed to set spark.sql.catalogImplementation")
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        return
    # PySpark 4 writes a stack as JSON for each error
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(CRITICAL)


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
