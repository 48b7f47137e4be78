"""Lake and tables in an object store: a real S3 server in its own process, and faults before it."""

import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.killed_builds import Moment, kill, start_of
from helpers.project import FEW_TASKS, SHORT_LIVED, command_line, run_checks
from helpers.retained_warehouse import files_holding, variables
from long.s3_checks import steps_of_lake
from long.s3_server import NEEDED, BucketWarehouse, S3Server, jars_in, running_server
from oracle import apply_step

pytestmark = pytest.mark.skipif(
    not all(any(jars_in(name).glob("*.jar")) for name in NEEDED),
    reason=f"the jars are not there: {', '.join(f'make jars FORMAT={name}' for name in NEEDED)}",
)
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
    outcome = run_checks("long.s3_checks", phase, folder, server.folder, server.port, variables=own)
    return outcome.stdout


def test_all_tables_are_right_while_requests_fail(
    server: S3Server, own: dict[str, str], tmp_path: Path
) -> None:
    said = run_phase("requests", tmp_path / "own", server, own)
    # what a user sees of a refused write
    assert "Task failed while writing rows to s3a://" in said


def test_what_a_killed_build_left_is_erased_and_late_deletes_harm_nothing(
    server: S3Server, own: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    run_phase("first", folder, server, own)
    step = steps_of_lake()[1]
    built = BucketWarehouse("in_bucket", folder / "lake", folder / "target", server=server)
    apply_step(built.lake, step)
    built.copy_lake()
    command = ("run", "--vars", variables(step.as_of))
    assert kill(folder, command, Moment(start_of(MIDDLE), 1.0), own)

    run_phase("erase", folder, server, own)


def test_the_keys_are_in_no_file_and_no_message(
    server: S3Server, own: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    built = BucketWarehouse("in_bucket", folder / "lake", folder / "target", server=server)
    step = steps_of_lake()[0]
    apply_step(built.lake, step)
    built.copy_lake()
    given = ("--vars", variables(step.as_of))

    code, said = dbt(folder, own, "--debug", "run", *given)
    assert code == 0, said
    for command in (("docs", "generate"), ("run-operation", "sync_logs_doctor")):
        code, more = dbt(folder, own, *command, *given)
        assert code == 0, more
        said += more
    assert (folder / "target" / "catalog.json").exists()

    wrong = own | {"AWS_SECRET_ACCESS_KEY": f"wrong{secrets.token_hex(20)}"}
    code, refused = dbt(folder, wrong, "--debug", "run", *given)
    assert code != 0
    assert "(Service: S3, Status Code: 403" in refused
    code, unset = dbt(folder, own | {"AWS_ACCESS_KEY_ID": ""}, "run", *given)
    assert code != 0
    assert "AWS_ACCESS_KEY_ID is not set. Set both." in unset

    values = {server.access_key, server.secret_key, wrong["AWS_SECRET_ACCESS_KEY"]}
    assert [value for value in values if value in said + refused + unset] == []
    assert holding([folder, server.bucket], values) == []
    assert [file for value in values for file in files_holding(server.bucket, value)] == []
    # the search finds them where they must be
    assert holding([server.folder], values) == [server.folder / "server.properties"]


def dbt(folder: Path, own: dict[str, str], *command: str) -> tuple[int, str]:
    """The exit code and the output of a dbt command in its own process."""
    outcome = subprocess.run(
        command_line(folder, *command),
        env=os.environ | own,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return outcome.returncode, outcome.stdout


def holding(folders: list[Path], values: set[str]) -> list[Path]:
    """The files that have one of the values anywhere in their bytes."""
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    wanted = [value.encode() for value in values]
    return [file for file in files if any(value in file.read_bytes() for value in wanted)]
