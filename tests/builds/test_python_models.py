"""Python models on an embedded session: their results are loaded, their errors reported."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from dbt.adapters.spark.impl import SparkAdapter

from builds import python_model_project
from builds.audited_lake import batch
from conftest import Warehouse
from dbt_sync_logs.python_models import SessionPythonJob, register, without_jvm


def test_a_python_model_is_loaded_and_a_raising_one_fails_alone(
    warehouse: Callable[[], Warehouse], tmp_path: Path
) -> None:
    project = python_model_project.write_project(tmp_path / "project")
    built = dataclasses.replace(warehouse(), project=project)
    folder = built.lake / "sync_tracking_datasets" / "org" / "sync" / "run"
    folder.mkdir(parents=True)
    batch(["a"], folder / "records.1.parquet")
    python_model_project.check(built)


def test_other_connections_keep_their_submission_methods() -> None:
    def adapter(method: str) -> SimpleNamespace:
        return SimpleNamespace(config=SimpleNamespace(credentials=SimpleNamespace(method=method)))

    register()
    default = SparkAdapter.default_python_submission_method.fget
    helpers = SparkAdapter.python_submission_helpers.fget
    databricks = ["all_purpose_cluster", "job_cluster"]
    for method in ("thrift", "http", "odbc"):
        assert default(adapter(method)) == "all_purpose_cluster"
        assert sorted(helpers(adapter(method))) == databricks
    assert default(adapter("session")) == "session"
    assert sorted(helpers(adapter("session"))) == [*databricks, "session"]
    assert helpers(adapter("session"))["session"] is SessionPythonJob


def test_an_error_is_reported_without_the_jvm_and_without_foreign_frames() -> None:
    message = """An exception was thrown from the Python worker.
Traceback (most recent call last):
  File "/usr/lib/pyspark/worker.py", line 1, in main
    process()
    ^^^^^^^^^
  File "models/a.py", line 2, in double
    return 2 / 0
ZeroDivisionError: division by zero
\tat org.apache.spark.api.python.BasePythonRunner.read(PythonRunner.scala:1)
\t... 3 more

JVM stacktrace:
org.apache.spark.api.python.PythonException"""
    assert (
        without_jvm(message, "models/a.py")
        == """\
An exception was thrown from the Python worker.
Traceback (most recent call last):
  File "models/a.py", line 2, in double
    return 2 / 0
ZeroDivisionError: division by zero"""
    )
