"""Builds on the cluster of `make cluster`, with a worker that is killed in the middle of a build.

It runs in its own process, because Spark Connect requires that.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from conftest import Warehouse
from helpers.growing_warehouse import at, times, unlike_the_specification
from helpers.killed_builds import wait_for_start
from helpers.random_histories import Remembered, many_histories
from sync_logs_viewer.warehouse.notes import running_at

AS_OF = times(2)
# the worker dies when this table is being written
MIDDLE = "int_records__landed"
SECONDS_TO_WAIT = 300


def main(folder: Path, home: Path) -> None:
    """Build a growing lake by both targets, and compare all tables with the specification."""
    server = running_at(home)
    assert server is not None, "make cluster left no note"
    os.environ["SYNC_LOGS_THRIFT_PORT"] = str(server.thrift_port)
    histories = many_histories(range(100, 103), AS_OF, orderly=range(600, 602))
    for worker, target in enumerate(("connect", "thrift"), start=1):
        os.environ["SYNC_LOGS_TARGET"] = target
        built = Warehouse(f"by_{target}", folder / target / "lake", folder / target / "target")
        remembered = Remembered(built.lake)
        for number, step in enumerate(histories.steps):
            remembered.step(step)
            # one worker is left for both builds of the other target
            if number and worker == 1:
                threading.Thread(target=kill_worker, args=(built, home, worker)).start()
            assert built.dbt("run", variables=at(step.as_of)), built.failures()
            assert unlike_the_specification(built, remembered, step.as_of) == {}
        assert built.rows("lake_file_issues") is not None
    assert not workers(home, 1)


def kill_worker(built: Warehouse, home: Path, number: int) -> None:
    """Kill a worker and its executor when a build is in its middle."""
    wait_for_start(built, MIDDLE, SECONDS_TO_WAIT)
    for process in workers(home, number):
        os.killpg(process, signal.SIGKILL)


def workers(home: Path, number: int) -> list[int]:
    """The process ids of a worker."""
    pattern = f"Worker.*{home}/cluster/worker{number}/work"
    found = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
