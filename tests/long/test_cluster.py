"""`make cluster`: builds on two workers, over Connect and Thrift; one worker is killed."""

from pathlib import Path

from helpers.project import of_server, run_checks
from scripts.serve.process import running


def test_the_project_builds_on_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with running(of_server(home, SYNC_LOGS_CLUSTER_PORT="0"), "--cluster") as url:
        run_checks("long.cluster_checks", tmp_path, home, variables={"SPARK_REMOTE": url})
    assert (home / "cluster" / "worker2" / "work").is_dir()
