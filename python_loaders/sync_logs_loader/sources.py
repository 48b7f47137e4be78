"""Reads a result log: files in three formats, or a table of the session's catalog."""

from collections.abc import Iterator
from contextlib import contextmanager

# Its authors ship no types.
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from sync_logs_loader.csv_rows import CsvRows
from sync_logs_loader.errors import ConfigError, SourceError
from sync_logs_loader.json_lines import JsonLines
from sync_logs_loader.logs import Log
from sync_logs_loader.parquet_times import with_times
from sync_logs_loader.session import utc_settings

SPARK_ERRORS = (PySparkException, Py4JJavaError)
"""What Spark raises: its own named errors, and errors passed through from the JVM."""

FORMATS = ("jsonl", "csv", "parquet", "table")
_FORMAT_BY_SUFFIX = {"jsonl": "jsonl", "json": "jsonl", "ndjson": "jsonl", "csv": "csv"}


def guess_format(source: str) -> str:
    """The format from the last suffix of a path, ignoring `.gz`; parquet if it is unknown."""
    name = source.rstrip("/").rpartition("/")[2].removesuffix(".gz")
    return _FORMAT_BY_SUFFIX.get(name.rpartition(".")[2].lower(), "parquet")


def read_source(spark: SparkSession, source: str, source_format: str) -> Log:
    """Open a log with its columns; this function decides nothing about them.

    CSV has a header, RFC 4180 quotes and text columns only; an empty unquoted field is null.
    Parquet files can have different columns: a column that a file lacks is null there.
    Raises `ConfigError` for an unknown format, `SourceError` if the source cannot be opened, and
    `InvalidRecordsError` for JSON lines that are not objects.
    """
    if source_format not in FORMATS:
        raise ConfigError(
            f"Expected a format out of {', '.join(FORMATS)}, but got {source_format!r}."
        )
    with readable(f"the {source_format} source {source!r}"), utc_settings(spark):
        if source_format == "table":
            return Log(spark.table(source))
        if source_format == "csv":
            return CsvRows(spark, source)
        if source_format == "jsonl":
            return JsonLines(spark, source)
        files = spark.read.option("mergeSchema", True).parquet(source)
        return Log(with_times(spark, files))


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Turn Spark's errors about a source into a `SourceError` of one line."""
    try:
        yield
    except SPARK_ERRORS as error:
        raise SourceError(
            f"Expected to read {what}, but Spark could not: {first_line(error)} "
            "Check that it exists, is readable and has the format given."
        ) from error


def first_line(error: Exception) -> str:
    """Spark's message, on one line and without the JVM stack trace."""
    java_error = getattr(error, "java_exception", None)
    if java_error is not None:
        while java_error.getCause() is not None:
            java_error = java_error.getCause()
        text = str(java_error.getMessage() or java_error.getClass().getName())
    else:
        text = str(error)
    line = next((part.strip() for part in text.splitlines() if part.strip()), "no message")
    return line if line.endswith(".") else f"{line}."
