"""`make cluster`: builds on two workers, over Connect and Thrift; one worker is killed."""

import os
from pathlib import Path

from helpers.project import FEW_TASKS, PROJECT, SHORT_LIVED, run_checks
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
        run_checks("long.cluster_checks", tmp_path, home, variables={"SPARK_REMOTE": url})
    assert (home / "cluster" / "worker2" / "work").is_dir()
