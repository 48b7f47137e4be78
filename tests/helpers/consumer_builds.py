"""Runs several dbt commands of a consumer's project in one process and reports what each did.

A Spark session belongs to one process, and a consumer's session has its own settings, so it cannot
be the session of the other tests.
"""

import json
import os
import pkgutil
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dbt.cli.main import dbtRunner

from helpers.project import PROJECT, SHORT_LIVED
from helpers.refused_statements import WRITING, refusing

# The process finds the other helpers here, and nothing else of this project.
TESTS = PROJECT / "tests"
PLUGIN = "dbt_sync_logs"
SPARING = ("--quiet", "--no-write-json")
# Extra commands: write the next files of the lake, set an environment variable, hide our plugin,
# let a certain model of the command that follows fail, and kill the process as soon as dbt starts a
# certain node of it.
WRITE_LAKE = "write_lake"
SET = "set"
HIDE_PLUGIN = "hide_plugin"
FAIL_AT = "fail_at"
KILL_AT = "kill_at"


@dataclass
class Told:
    """What one dbt command did: the status and message of each node, its output, its queries."""

    succeeded: bool = False
    status: dict[str, str] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)

    def failed(self) -> dict[str, str]:
        """The nodes that failed, with their messages."""
        bad = ("error", "fail", "runtime error")
        return {name: self.messages[name] for name, one in self.status.items() if one in bad}

    def everything(self) -> str:
        """Everything that a user could read, for an assertion message."""
        return "\n".join([*self.said, *self.failed().values()])


def assert_rows_are_as_expected(told: Told) -> None:
    """Assert that a build of the project succeeded and gave the rows that the project expects."""
    assert told.succeeded, told.everything()
    assert told.failed() == {}
    # the package does not know "Delivered" in lake/records.csv, so the project maps it
    assert told.status["assert_new_words_are_known"] == "pass"
    passed = {name for name, status in told.status.items() if status == "pass"}
    assert len([name for name in passed if name.endswith("_is_as_expected")]) == 5
    assert {
        "assert_both_destinations_are_whole",
        "assert_failing_customers_get_no_newsletter",
        "assert_members_on_march_3_are_as_expected",
        "assert_plan_changes_are_as_expected",
        "assert_retries_are_as_expected",
        "assert_no_new_record_is_lost",
    } <= passed


def told_by(home: Path, commands: list[list[str]], *, project: Path) -> list[Told]:
    """Run commands in their own process; return what each dbt command did, in order.

    The home may be new. If the last command is to be killed, assert that it was; it is not in the
    result.
    """
    home.mkdir(exist_ok=True)
    outcome = subprocess.run(
        [sys.executable, __file__, str(project), json.dumps(commands)],
        env=os.environ | SHORT_LIVED | {"CUSTOMER_HOME": str(home), "PYTHONPATH": str(TESTS)},
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    expected = -signal.SIGKILL if commands[-1][0] == KILL_AT else 0
    assert outcome.returncode == expected, outcome.stderr[-3000:]
    return [Told(**one) for one in json.loads((project / "told.json").read_text())]


def main(project: Path, commands: list[list[str]]) -> None:
    """Run commands and write what they did to the project's folder."""
    told: list[dict[str, Any]] = []
    for command in commands:
        if command[0] == WRITE_LAKE:
            write_lake(project, int(command[1]))
        elif command[0] == SET:
            os.environ[command[1]] = command[2]
        elif command[0] == HIDE_PLUGIN:
            hide_plugin()
        elif command[0] == FAIL_AT:
            with refusing({command[1]: WRITING}):
                told.append(asdict(run(project, command[2:])))
        elif command[0] == KILL_AT:
            (project / "told.json").write_text(json.dumps(told))
            run(project, command[2:], killed_at=command[1])
        else:
            told.append(asdict(run(project, command)))
    (project / "told.json").write_text(json.dumps(told))


def hide_plugin() -> None:
    """Make dbt search for plugins as if ours were not installed."""
    original = pkgutil.iter_modules

    def without_ours(*args: Any, **named: Any) -> Any:
        return (module for module in original(*args, **named) if module.name != PLUGIN)

    pkgutil.iter_modules = without_ours
    # from now on, importing it fails
    sys.modules[PLUGIN] = None  # type: ignore[assignment]  # Python's way to block an import


def write_lake(project: Path, build: int) -> None:
    """Add the files of a build with the project's own script."""
    script = [sys.executable, str(project / "write_lake.py")]
    subprocess.run([*script, f"{os.environ['CUSTOMER_HOME']}/lake", str(build)], check=True)


def run(project: Path, command: list[str], killed_at: str | None = None) -> Told:
    """Run one dbt command; if it begins with a path, run it in the project in that folder."""
    told = Told()
    if command[0].startswith("/"):
        project, command = Path(command[0]), command[1:]

    def listen(event: Any) -> None:
        if event.info.name == "LogStartLine" and event.data.node_info.node_name == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        elif event.info.name == "SQLQuery":
            told.queries.append(event.data.sql)
        elif event.info.level != "debug":
            told.said.append(event.info.msg)

    folders = ["--project-dir", str(project), "--profiles-dir", str(project)]
    outcome = dbtRunner(callbacks=[listen]).invoke([*command, *folders, *SPARING])
    told.succeeded = bool(outcome.success)
    if outcome.exception is not None:
        told.said.append(str(outcome.exception))
    for one in getattr(outcome.result, "results", None) or []:
        # the result of an operation has no node
        node = getattr(one, "node", None)
        name = one.unique_id if node is None else node.name
        told.status[name] = str(one.status)
        told.messages[name] = str(one.message)
    return told


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
