"""`make cluster`: builds on two workers, over Connect and Thrift; one worker is killed."""

import os
import subprocess
import sys
from pathlib import Path

from helpers.project import FEW_TASKS, PROJECT, SHORT_LIVED
from scripts.serve.process import running


def test_the_project_builds_on_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    home = tmp_path / "home"
    own = {
        "SYNC_LOGS_CATALOG": "hive",
        "SYNC_LOGS_HOME": str(home),
        "SYNC_LOGS_DRIVER_MEMORY": "2g",
        "SYNC_LOGS_CLUSTER_PORT": "0",
        "DBT_PROFILES_DIR": str(PROJECT / "profiles"),
    }
    outside = {key: value for key, value in os.environ.items() if key != "SPARK_REMOTE"}
    with running(FEW_TASKS | outside | SHORT_LIVED | own, "--cluster") as url:
        script = PROJECT / "tests" / "helpers" / "cluster_checks.py"
        outcome = subprocess.run(
            [sys.executable, str(script), str(tmp_path), str(home)],
            env=outside
            | {
                "SPARK_REMOTE": url,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert (home / "cluster" / "worker2" / "work").is_dir()
