"""dbt Python models in the dbt process, on the session that dbt-spark's method `session` uses.

dbt-spark submits Python models only to Databricks. This module adds the submission method `session`
for connections of that method, embedded or over Spark Connect, and makes it their default. Other
connections and the methods for Databricks do not change.
"""

import re
import traceback
from collections.abc import Sequence
from typing import Any

from dbt_common.exceptions import DbtRuntimeError

from .embedded import is_session, session_with
from .messages import silence_handled_errors


def register() -> None:
    """Add the submission method to the Spark adapter; doing so twice changes nothing."""
    from dbt.adapters.spark.impl import SparkAdapter

    default = SparkAdapter.default_python_submission_method
    helpers = SparkAdapter.python_submission_helpers
    if getattr(default.fget, "is_wrapped_by_sync_logs", False):
        return

    def default_method(adapter: Any) -> Any:
        return "session" if is_session(adapter.config.credentials) else default.fget(adapter)

    def all_helpers(adapter: Any) -> dict[str, Any]:
        known = dict(helpers.fget(adapter))
        if is_session(adapter.config.credentials):
            known["session"] = SessionPythonJob
        return known

    default_method.is_wrapped_by_sync_logs = True  # type: ignore[attr-defined]  # a marker
    SparkAdapter.default_python_submission_method = property(default_method)
    SparkAdapter.python_submission_helpers = property(all_helpers)


class SessionPythonJob:
    """Runs the compiled code of one Python model."""

    def __init__(self, parsed_model: dict[str, Any], credentials: Any) -> None:
        self._file = str(parsed_model["original_file_path"])
        self._source = str(parsed_model["raw_code"]).splitlines()
        self._settings = dict(credentials.server_side_parameters or {})

    def submit(self, compiled_code: str) -> None:
        """Run the code; an exception in it becomes the error of its node."""
        silence_handled_errors()
        names = {"__name__": "dbt_python_model", "spark": session_with(self._settings)}
        try:
            exec(compile(compiled_code, self._file, "exec"), names)
        except DbtRuntimeError:
            raise
        except (Exception, SystemExit) as error:
            raise DbtRuntimeError(self._traceback_of(error)) from None

    def _traceback_of(self, error: BaseException) -> str:
        if isinstance(error, SyntaxError):
            return "".join(traceback.format_exception_only(error)).rstrip()
        # dbt appends its own code after the model's, so line numbers match the file
        frames = [
            (self._file, line, frame.name, self._source[line - 1])
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == self._file and 0 < (line := frame.lineno or 0) <= len(self._source)
        ]
        head = "Traceback (most recent call last):\n" if frames else ""
        shown = "".join(traceback.StackSummary.from_list(frames).format())
        return f"{head}{shown}{type(error).__name__}: {without_jvm(str(error), self._file)}"


def without_jvm(message: str, file: str) -> str:
    """An error's text without JVM stack traces and without frames of files other than `file`."""
    message = re.split(r"\n+JVM stacktrace:", message)[0]
    message = re.sub(r'\n  File "(?!' + re.escape(file) + r'")[^\n]*(\n    [^\n]*)*', "", message)
    kept = [
        line for line in message.splitlines() if not re.match(r"\s+at |\t\.\.\. \d+ more", line)
    ]
    return "\n".join(kept).rstrip()


def insert_load(frame: Any, table: str, columns: Sequence[str], load_id: str) -> None:
    """Insert a Python model's rows into the partition `load_id` of a table, columns by name.

    Without rows nothing is inserted, as for SQL models that have nothing to load.
    Raises DbtRuntimeError if `frame` is not a DataFrame or its columns are not the declared ones.
    """
    given = getattr(frame, "columns", None)
    if given is None or not hasattr(frame, "sparkSession"):
        raise DbtRuntimeError(
            f"A Python model returns a Spark DataFrame, not {type(frame).__name__}."
        )
    if sorted(given) != sorted(columns):
        raise DbtRuntimeError(
            "The columns of the frame are not those that the model's YAML declares. "
            f"Expected: {', '.join(columns)}. Given: {', '.join(given)}."
        )
    from pyspark.sql import functions as F

    if not frame.isEmpty():
        frame.select(*columns, F.lit(load_id).alias("load_id")).write.insertInto(table)
