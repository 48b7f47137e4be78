"""Shortens Spark's errors for dbt: the sentences remain, without plans and stack traces."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from logging import CRITICAL
from pathlib import Path

from dbt_common.exceptions import DbtRuntimeError

DISK_FULL = "No space left on device"
NOT_FOUND = re.compile(r"\[TABLE_OR_VIEW_NOT_FOUND\] .*? cannot be found\.")
# Where a message ends and a stack trace begins.
STACK = re.compile(
    r"\n+(?:JVM stacktrace:|Driver stacktrace:|\s+at [\w.$/]+\(|Caused by: ).*", re.DOTALL
)
# Where a message ends and the plan of a query begins: after the place in its text.
PLAN = re.compile(r"((?:SQLSTATE: \w{5}|; line \d+ pos \d+)[^\n]*);\n.*", re.DOTALL)


class EmbeddedSparkRuntimeError(DbtRuntimeError):
    """An error of Spark, as dbt reports it: the message alone."""

    def __str__(self) -> str:
        return str(self.msg)


@contextmanager
def explain(where: Path | None) -> Iterator[None]:
    """Shorten Spark's errors from hundreds of lines to a few; dbt's debug log keeps all lines.

    `where` is the folder of an embedded catalog, if there is one.
    """
    try:
        yield
    except DbtRuntimeError as error:
        said = str(error.msg)
        told = explained(said, where)
        if told == said:
            raise
        raise EmbeddedSparkRuntimeError(told) from None


def explained(said: str, where: Path | None) -> str:
    """What to print for an error of Spark."""
    # without a JVM stack trace it comes from the check at the start, which is clear already
    if where is not None and DISK_FULL in said and "\tat " in said:
        return (
            f"{DISK_FULL}: the disk of {where}, or that of Spark's temporary files, is full. "
            "Make room and run the command again; there is nothing to repair."
        )
    told = PLAN.sub(r"\1", STACK.sub("", said))
    found = NOT_FOUND.search(told)
    if found is not None:
        return f"{found.group()} If it has not been built yet, run `dbt build`."
    return told


def silence_handled_errors() -> None:
    """Keep PySpark from printing what dbt reports itself and what a client cannot change."""
    # dbt-spark sets Hive at every statement; a client cannot change a server's catalog
    warnings.filterwarnings("ignore", message="Failed to set spark.sql.catalogImplementation")
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        return
    # PySpark 4 writes a stack trace as JSON for each error
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(CRITICAL)
