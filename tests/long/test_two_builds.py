"""Two builds at once on one server: one of them publishes nothing, or both are right.

SYNC_LOGS_FILE_FORMAT sets the format of the tables. Spark does not keep two writers of a parquet
table apart, so builds of that format need the lock of one machine (`one_build.py`).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.project import FEW_TASKS, FILE_FORMAT, PROJECT, SHORT_LIVED
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
        outcome = subprocess.run(
            [sys.executable, str(PROJECT / "tests/helpers/two_builds_checks.py"), str(tmp_path)],
            env=outside | {"SPARK_REMOTE": url, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
