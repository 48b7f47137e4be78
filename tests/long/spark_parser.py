"""Spark's own parser, without a session: whether Spark reads a statement at all."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.java_gateway import launch_gateway

# statements of Delta Lake, whose parser is no part of Spark
OF_DELTA = re.compile(r"vacuum (?:`\w+`\.){2}`\w+` retain \d+ hours$", re.I)


class Parser:
    """Parses statements."""

    def __init__(self, jvm: Any) -> None:
        self._parser = jvm.org.apache.spark.sql.execution.SparkSqlParser()

    def fault(self, sql: str) -> str | None:
        """Why Spark cannot parse a statement; none if it can."""
        if OF_DELTA.match(sql):
            return None
        try:
            self._parser.parsePlan(sql)
        except Py4JJavaError as error:
            return str(error.java_exception.getMessage())
        return None


@contextmanager
def parser() -> Iterator[Parser]:
    """Starts a small JVM for the parser, and ends it."""
    before = os.environ.get("PYSPARK_SUBMIT_ARGS")
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--driver-memory 512m pyspark-shell"
    try:
        gateway = launch_gateway()
    finally:
        if before is None:
            del os.environ["PYSPARK_SUBMIT_ARGS"]
        else:
            os.environ["PYSPARK_SUBMIT_ARGS"] = before
    try:
        yield Parser(gateway.jvm)
    finally:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(30)
