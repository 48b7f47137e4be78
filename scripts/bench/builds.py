"""Timed commands of the project, each in its own process."""

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from dbt_sync_logs.runner import PROJECT

# "[1.2s] GC(3) Pause Young (Allocation Failure) 512M->45M(1024M) 3.4ms"
COLLECTION = re.compile(r"Pause .*\d+M->(\d+)M\(\d+M\)")


class BuildFailedError(Exception):
    """A build of the benchmark failed; the message has the end of its output."""


@dataclass(frozen=True)
class Build:
    """What one process took: wall seconds, seconds of each node, MiB of heap in use."""

    seconds: float
    nodes: dict[str, float] = field(default_factory=dict)
    # the most that was left after a garbage collection
    heap: int = 0


def fastest(builds: list[Build]) -> Build:
    """The fastest build, which other work on the machine disturbed least."""
    return min(builds, key=lambda build: build.seconds)


@dataclass(frozen=True)
class Place:
    """A lake and the home of its build."""

    lake: Path
    home: Path

    def environment(self) -> dict[str, str]:
        """The environment of processes that build the lake."""
        return os.environ | {
            "SYNC_LOGS_HOME": str(self.home),
            "SYNC_LOGS_LAKE_PATH": str(self.lake),
            "SYNC_LOGS_SCHEMA": "sync_logs",
            "SYNC_LOGS_TARGET": "embedded",
            "DBT_PROFILES_DIR": str(PROJECT / "profiles"),
        }

    def run(self) -> Build:
        """`dbt run`. Raises `BuildFailedError`."""
        self.home.mkdir(parents=True, exist_ok=True)
        target = self.home / "target"
        with TemporaryDirectory() as logs:
            environment = {"JDK_JAVA_OPTIONS": f"-Xlog:gc:file={logs}/%p.log"}
            seconds, _ = _timed(self._command(target.name), self.environment() | environment)
            collected = [
                int(found)
                for log in Path(logs).iterdir()
                for found in COLLECTION.findall(log.read_text())
            ]
        results = json.loads((target / "run_results.json").read_text())["results"]
        nodes = {one["unique_id"].split(".")[-1]: one["execution_time"] for one in results}
        return Build(seconds, nodes, max(collected, default=0))

    def run_on(self, server: str) -> Build:
        """`dbt run` on a Spark Connect server at that URL. Raises `BuildFailedError`."""
        remote = {"SYNC_LOGS_TARGET": "connect", "SPARK_REMOTE": server}
        seconds, _ = _timed(self._command("server_target"), self.environment() | remote)
        return Build(seconds)

    def _command(self, target: str) -> list[str]:
        return [
            *(sys.executable, "-m", "dbt.cli.main", "run", "--project-dir", str(PROJECT)),
            *("--target-path", str(self.home / target), "--log-path", str(self.home / "logs")),
        ]

    def start_alone(self) -> Build:
        """The floor of every build: start Spark and its catalog, parse the project, do nothing."""
        return Build(self._script("start_alone")[0])

    def look_alone(self) -> Build:
        """The floor of an idle build: plain Spark lists the lake, and the models do nothing.

        Raises `BuildFailedError` if there is something new.
        """
        return Build(self._script("look_alone")[0])

    def plain_alone(self) -> Build:
        """The same tables with plain Spark SQL, in a new Spark; its start does not count."""
        return Build(float(self._script("plain_alone")[1].splitlines()[-1]))

    def _script(self, name: str) -> tuple[float, str]:
        command = [sys.executable, "-m", f"scripts.bench.{name}", str(self.home / "target")]
        return _timed(command, self.environment())


def _timed(command: list[str], environment: dict[str, str]) -> tuple[float, str]:
    """The wall seconds of a process, and its output."""
    began = time.monotonic()
    done = subprocess.run(
        command,
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    seconds = time.monotonic() - began
    if done.returncode:
        raise BuildFailedError("\n".join(done.stdout.splitlines()[-15:]))
    return seconds, done.stdout
