"""Two builds at once on one server: one of them publishes nothing, or both are right.

SYNC_LOGS_FILE_FORMAT sets the format of the tables. Spark does not keep two writers of a parquet
table apart, so builds of that format need the lock of one machine (`one_build.py`).
"""

import os
from pathlib import Path

import pytest

from helpers.project import FEW_TASKS, FILE_FORMAT, PROJECT, SHORT_LIVED, run_checks
from scripts.serve.process import running

pytestmark = pytest.mark.skipif(
    FILE_FORMAT == "parquet", reason="SYNC_LOGS_FILE_FORMAT is neither delta nor iceberg"
)


def test_two_builds_at_once_never_publish_wrong_rows(tmp_path: Path) -> None:
    own = {
        "SYNC_LOGS_CATALOG": "hive",
        "SYNC_LOGS_HOME": str(tmp_path / "home"),
        "SYNC_LOGS_DRIVER_MEMORY": "3g",
        "DBT_PROFILES_DIR": str(PROJECT / "profiles"),
    }
    outside = {key: value for key, value in os.environ.items() if key != "SPARK_REMOTE"}
    with running(FEW_TASKS | outside | SHORT_LIVED | own) as url:
        run_checks("long.two_builds_checks", tmp_path, variables={"SPARK_REMOTE": url})
