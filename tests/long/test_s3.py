"""Lake and tables in an object store: a real S3 server in its own process, and faults before it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.killed_builds import Moment, kill, start_of
from helpers.project import FEW_TASKS, PROJECT, SHORT_LIVED
from helpers.retained_warehouse import variables
from helpers.s3_checks import steps_of_lake
from helpers.s3_server import BucketWarehouse, S3Server, running_server
from oracle import apply_step

# The build is killed while it writes this table.
MIDDLE = "int_records__landed"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[S3Server]:
    with running_server(tmp_path / "server") as running:
        yield running


@pytest.fixture
def own(server: S3Server, tmp_path: Path) -> dict[str, str]:
    """The variables of a process that builds in the bucket."""
    folder = tmp_path / "own"
    folder.mkdir()
    return {
        **FEW_TASKS,
        **SHORT_LIVED,
        **server.variables(folder),
        "SYNC_LOGS_SCHEMA": "in_bucket",
    }


def run_phase(phase: str, folder: Path, server: S3Server, own: dict[str, str]) -> str:
    """Run a phase of the checks; its output."""
    script = PROJECT / "tests" / "helpers" / "s3_checks.py"
    outcome = subprocess.run(
        [sys.executable, str(script), phase, str(folder), str(server.folder), str(server.port)],
        env=os.environ | own | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


def test_all_tables_are_right_whatever_happens_to_requests_and_builds(
    server: S3Server, own: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    said = run_phase("grow", folder, server, own)
    assert "Access Denied" in said

    steps = steps_of_lake()
    built = BucketWarehouse("in_bucket", folder / "lake", folder / "target", server=server)
    apply_step(built.lake, steps[3])
    built.copy_lake()
    command = ("run", "--vars", variables(steps[3].as_of))
    assert kill(folder, command, Moment(start_of(MIDDLE), 1.0), own)

    run_phase("retain", folder, server, own)
