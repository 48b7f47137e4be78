"""Builds in their own processes, killed at a chosen moment, and what they leave behind."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from conftest import Warehouse
from helpers.project import FILE_FORMAT, command_line, environment

FOUND = r"Found \d+ models"


@dataclass(frozen=True)
class Moment:
    """When to kill: some seconds after a line of the output, or after the start of the process."""

    line: str | None = None
    seconds: float = 0.0
    # otherwise only Python, and its JVM outlives it for a while
    is_whole_group: bool = True


@dataclass(frozen=True)
class Built:
    """What a build left: the rows of the tables, and the loads of the state tables."""

    tables: dict[str, list[dict[str, object]]]
    # the folder of each state table, with the loads that the catalog knows
    loads: dict[str, set[str]] = field(default_factory=dict)
    needed_loads: set[str] = field(default_factory=set)

    def dead_loads(self) -> list[str]:
        """Loads that only the disk or only the catalog has, and loads that nothing needs.

        A log of commits is its own catalog: what a killed write has left on disk is in no table,
        and a later vacuum deletes it.
        """
        dead = []
        for folder, known in self.loads.items():
            dead += [f"{folder}: {one} is not needed" for one in known - self.needed_loads]
            if FILE_FORMAT != "parquet":
                continue
            on_disk = {
                path.name.removeprefix("load_id=") for path in Path(folder).glob("load_id=*")
            }
            dead += [f"{folder}: {one} is not in the catalog" for one in on_disk - known]
            dead += [f"{folder}: {one} is not on disk" for one in known - on_disk]
        return sorted(dead)


def start_of(node: str) -> str:
    """A regular expression for the line that dbt prints when it starts a node."""
    return rf"START .*\b{re.escape(node)}\b"


def wait_for_start(built: Warehouse, node: str, seconds: float) -> None:
    """Wait until the command that a warehouse runs in another thread has started a node."""
    deadline = time.monotonic() + seconds
    while not any(re.search(start_of(node), line) for line in list(built.said)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"Expected a line that {node} started; given {built.said[-3:]}")
        time.sleep(0.05)


def start(
    folder: Path, *command: str, variables: Mapping[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Start a dbt command in its own process group; its output goes to a pipe.

    `variables` are more environment variables, which override the usual ones.
    """
    return subprocess.Popen(
        command_line(folder, *command, "--no-use-colors"),
        env=environment(folder) | dict(variables or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def kill(
    folder: Path,
    command: tuple[str, ...],
    moment: Moment,
    variables: Mapping[str, str] | None = None,
) -> bool:
    """Start a dbt command and kill it at a moment; false if it had already succeeded."""
    with start(folder, *command, variables=variables) as process:
        seen = list(lines_until(process, moment.line))
        time.sleep(moment.seconds)
        if moment.is_whole_group:
            _kill_group(process)
        else:
            process.kill()
        code = process.wait()
    assert code in (-signal.SIGKILL, 0), "".join(seen)
    return code != 0


def lines_until(process: "subprocess.Popen[str]", line: str | None) -> Iterator[str]:
    """Read the output up to the first line that matches a regular expression."""
    if line is None:
        return
    assert process.stdout is not None
    for one in process.stdout:
        yield one
        if re.search(line, one):
            return


def _kill_group(process: "subprocess.Popen[str]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # all of it has ended


def build_and_read(folder: Path, as_of: datetime, **settings: object) -> Built:
    """Build in a separate process, as a user would, with some settings, and read the result."""
    given = {"sync_logs_as_of": as_of.isoformat(), **settings}
    script = Path(__file__).with_name("build_and_read.py")
    modules = {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(
        [sys.executable, str(script), str(folder), json.dumps(given)],
        env=environment(folder) | modules,
        check=True,
    )
    built = pickle.loads((folder / "built.pickle").read_bytes())
    assert isinstance(built, Built)
    return built
