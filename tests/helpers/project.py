"""The project under test, and how to start dbt on it."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree, ignore_patterns

PROJECT = Path(__file__).resolve().parents[2]
# what dbt reads of it
PARTS = ("models", "macros", "seeds", "tests", "analyses", "dbt_packages")
FILES = ("dbt_project.yml", "packages.yml", "selectors.yml")
# a folder of models for each vendor
ADAPTERS = Path("models", "intermediate", "sources")
# the format of the tables that builds of this process write
FILE_FORMAT = os.environ.get("SYNC_LOGS_FILE_FORMAT", "parquet")
# A folder name with the kinds of characters that people use in folder names.
HOSTILE = "o'neil's \"home\" é#%20 $x"
# For a process with its own Spark: it ends before Java's second compiler pays off. As in the
# profile, Java also compiles long methods (by default it never does), and collects in parallel.
SHORT_LIVED = {
    "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m "
    "-XX:-DontCompileHugeMethods -XX:+UseParallelGC",
}
# For a few hundred rows: a task without rows still costs its start.
FEW_TASKS = {"SYNC_LOGS_SHUFFLE_PARTITIONS": "2"}


def copy_project(folder: Path, *left_out: str) -> None:
    """Copy what dbt reads of the project, without some files and without compiled Python."""
    for part in PARTS:
        ignored = ignore_patterns("__pycache__", *left_out)
        copytree(PROJECT / part, folder / part, ignore=ignored)
    for name in FILES:
        (folder / name).write_text((PROJECT / name).read_text())


def write_adapter(folder: Path) -> None:
    """Write models like those of RudderStack for another vendor, `acme_sync`."""
    folder.mkdir(parents=True)
    for file in (PROJECT / ADAPTERS / "rudderstack").iterdir():
        if "unit_tests" not in file.name:
            text = file.read_text().replace("rudderstack", "acme_sync")
            (folder / file.name.replace("rudderstack", "acme_sync")).write_text(text)


def command_line(folder: Path, *command: str) -> list[str]:
    """A dbt command for a separate process; it writes everything except tables to a folder."""
    return [sys.executable, "-m", "dbt.cli.main", *arguments(folder, *command)]


def arguments(folder: Path, *command: str) -> list[str]:
    """A dbt command for the project; it writes everything except tables to a folder."""
    return [
        *command,
        *("--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT / "profiles")),
        *("--target-path", str(folder / "target"), "--log-path", str(folder / "logs")),
    ]


def environment(folder: Path, home: str = "home") -> dict[str, str]:
    """The environment of a process that builds `folder/lake` into a home in the same folder."""
    return (
        os.environ
        | SHORT_LIVED
        | {
            "SYNC_LOGS_CATALOG": "hive",
            "SYNC_LOGS_HOME": str(folder / home),
            "SYNC_LOGS_LAKE_PATH": str(folder / "lake"),
        }
    )


def said_by_dbt(folder: Path, *command: str, home: str = "home") -> str:
    """Run a dbt command in its own process, in that environment, and return its output."""
    line = command_line(folder, *command, "--no-use-colors")
    return succeeded(line, environment(folder, home)).stdout


def of_server(home: Path, memory: str = "2g", **own: str) -> dict[str, str]:
    """The environment of a server with a catalog and a warehouse of its own in `home`."""
    outside = {key: value for key, value in os.environ.items() if key != "SPARK_REMOTE"}
    own |= {"SYNC_LOGS_CATALOG": "hive", "SYNC_LOGS_HOME": str(home)}
    own |= {"SYNC_LOGS_DRIVER_MEMORY": memory, "DBT_PROFILES_DIR": str(PROJECT / "profiles")}
    return FEW_TASKS | outside | SHORT_LIVED | own


def run_checks(
    module: str, *arguments: object, variables: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a module of the tests in its own process, with more variables.

    Fails with its output if it fails.
    """
    own = {**variables, "PYTHONPATH": os.pathsep.join(sys.path)}
    return succeeded([sys.executable, "-m", module, *map(str, arguments)], os.environ | own)


def succeeded(
    command: list[str], variables: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a command in an environment. Fails with its output if it fails."""
    outcome = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome


def free_port() -> int:
    """A port that no program uses at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
