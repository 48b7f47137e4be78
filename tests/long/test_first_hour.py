"""What people type in their first hour, in order, in a fresh clone in a folder with a space.

Each step succeeds or, if the command refuses, prints its one line. The environment is that of
a new terminal: none of our variables, no catalog, no dbt cache.
"""

import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

from helpers.project import PROJECT

KEPT = ("PATH", "JAVA_HOME", "LANG", "LC_ALL", "PYTHON", "PIP_CACHE_DIR", "PIP_INDEX_URL", "TMPDIR")
DBT = ".venv/bin/dbt {} --profiles-dir profiles"
PAGES = "http://127.0.0.1:8080/"
# output that users must never have to read
NOISE = re.compile(
    r"Traceback \(most recent call last\)|^\s+at [\w.$]+\(|== Physical Plan ==", re.M
)


@dataclass(frozen=True)
class Step:
    """A command line, its output, and whether it refuses."""

    command: str
    says: str = ""
    is_refused: bool = False


def dbt(arguments: str, says: str = "", *, is_refused: bool = False, **environment: str) -> Step:
    """A dbt command, with its variables in front, as a shell accepts them."""
    before = "".join(f"{name}={shlex.quote(value)} " for name, value in environment.items())
    return Step(before + DBT.format(arguments), says, is_refused)


def operation(macro: str, arguments: str = "", says: str = "", *, is_refused: bool = False) -> Step:
    """An operation with its arguments as YAML."""
    given = f" --args {shlex.quote(arguments)}" if arguments else ""
    return dbt(f"run-operation {macro}{given}", says, is_refused=is_refused)


BEFORE_A_BUILD = (
    dbt(
        "show --select sync_runs",
        "Nothing has been built in",
        is_refused=True,
        SYNC_LOGS_HOME="unbuilt home",
    ),
    dbt("test", "Nothing has been built in", is_refused=True, SYNC_LOGS_HOME="unbuilt home"),
    operation("sync_logs_compact", says="Nothing has been built in", is_refused=True),
    dbt("build", "No file under", is_refused=True, SYNC_LOGS_LAKE_PATH="no/lake"),
)
AFTER_THE_DEMO = (
    dbt("build", "Completed successfully"),
    dbt("run", "Completed successfully"),
    dbt("test", "Completed successfully"),
    dbt("build --warn-error", "Completed successfully"),
    dbt("show --select sync_runs", "sync_run_id"),
    dbt("show --select most_common_errors", "failure_reason"),
    dbt("compile --select most_common_errors", "rank_overall"),
    dbt("docs generate", "Catalog written"),
    dbt("build --empty", "Completed successfully"),
    dbt("run --empty", "Completed successfully"),
    dbt("build --select sync_runs", "Completed successfully"),
    # nothing is new, so nothing is missing either
    dbt("build --select +sync_runs", "Completed successfully"),
    dbt("build --full-refresh", "Completed successfully"),
    dbt(
        "build --vars 'sync_logs_settle_minute: 5'",
        "sync_logs_settle_minute is not a setting of sync_logs",
        is_refused=True,
    ),
    dbt("build", "needs a Spark Connect server", is_refused=True, SYNC_LOGS_TARGET="connect"),
)
A_RECORD = '{organization_id: "501", identifier: "AD"}'
OPERATIONS = (
    operation("sync_logs_doctor", says="What to change"),
    operation("sync_logs_collect"),
    operation("sync_logs_compact"),
    operation("prune_sync_logs"),
    operation("prune_sync_logs", "{retention_days: 7}", "Nothing was changed"),
    operation("prune_sync_logs", '{dry_run: "false"}', "dry_run", is_refused=True),
    operation("purge_record", "{}", "organization_id is missing", is_refused=True),
    operation(
        "purge_record",
        '{organization_id: "501", identifier: "nobody@example.com"}',
        "No table holds this identifier",
        is_refused=True,
    ),
    # an operation that failed is tried again, and one that succeeded is not
    dbt("retry", "No table holds this identifier", is_refused=True),
    operation("purge_record", A_RECORD, "Purged one identifier"),
    dbt("retry"),
    operation("purge_record", A_RECORD, "is kept out already, and no table holds it"),
)
LAKES = (
    dbt("build", "Completed successfully", SYNC_LOGS_LAKE_PATH=".sync_logs/demo_lake"),
    dbt("build", "Completed successfully", SYNC_LOGS_LAKE_PATH="./.sync_logs/demo_lake/"),
    dbt("build", "Completed successfully", SYNC_LOGS_LAKE_PATH="a link"),
    dbt(
        "build", "Completed successfully", SYNC_LOGS_LAKE_PATH="file://{clone}/.sync_logs/demo_lake"
    ),
    dbt("build", "No file under", is_refused=True, SYNC_LOGS_LAKE_PATH=".sync_logs/demo_lak"),
    dbt("build", "Completed successfully"),
)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the committed files, with a link to the lake that `make demo` will write."""
    folder = tmp_path_factory.mktemp("first hour") / "My Projects" / "dbt-sync-logs"
    subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(folder)], check=True)
    (folder / "a link").symlink_to(folder / ".sync_logs" / "demo_lake", target_is_directory=True)
    return folder


def environment(clone: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    home = clone.parent / "home"
    home.mkdir(exist_ok=True)
    return kept | {"HOME": str(home)}


def take(clone: Path, step: Step, **more: str) -> None:
    """Run a command; on failure, show its whole output."""
    command = step.command.replace("{clone}", str(clone))
    print(f"$ {command}", flush=True)
    told = subprocess.run(
        ["bash", "-c", command],
        cwd=clone,
        env=environment(clone) | more,
        capture_output=True,
        text=True,
        check=False,
    )
    said = told.stdout + told.stderr
    # dbt exits with 1 if a node failed, and with 2 for an unexpected error
    assert (told.returncode != 0) == step.is_refused, said
    assert step.says in " ".join(said.split()), said
    assert not NOISE.search(said), said


def test_the_first_command(clone: Path) -> None:
    take(clone, Step("make setup", "setup: .venv is ready."))
    for step in BEFORE_A_BUILD:
        take(clone, step)
    assert not (clone / "unbuilt home").exists()
    take(clone, Step("make demo", "Done in"))


@pytest.mark.parametrize("step", AFTER_THE_DEMO, ids=lambda step: step.command)
def test_after_the_demo(clone: Path, step: Step) -> None:
    take(clone, step)
    left = {"metastore_db", "spark-warehouse", "derby.log"} & {one.name for one in clone.iterdir()}
    assert left == set()


@pytest.mark.parametrize("step", OPERATIONS, ids=lambda step: step.command)
def test_operations(clone: Path, step: Step) -> None:
    take(clone, step)


@pytest.mark.parametrize("step", LAKES, ids=lambda step: step.command)
def test_the_lake_by_other_names(clone: Path, step: Step) -> None:
    take(clone, step)


def test_ctrl_c_and_retry(clone: Path) -> None:
    take(clone, Step("make demo", "Done in"))
    command = DBT.format("build --full-refresh").split()
    with subprocess.Popen(
        command, cwd=clone, env=environment(clone), stdout=subprocess.PIPE, text=True
    ) as build:
        assert build.stdout is not None
        for line in build.stdout:
            if "int_records__landed" in line:
                build.send_signal(signal.SIGINT)
                break
        build.communicate()
    take(clone, dbt("retry"))
    take(clone, dbt("build", "Completed successfully"))


@contextmanager
def server(clone: Path) -> Iterator[dict[str, str]]:
    """`make serve`, and the commands that it prints for another terminal."""
    with subprocess.Popen(
        ["make", "serve"],
        cwd=clone,
        env=environment(clone),
        stdout=subprocess.PIPE,
        text=True,
        # as in a terminal, Ctrl-C reaches all of them
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        exported = {}
        for line in process.stdout:
            if line.strip().startswith("export "):
                exported = dict(pair.split("=", 1) for pair in line.split()[1:])
            if "Ctrl-C" in line:
                break
        try:
            yield exported
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(60)


def test_the_server(clone: Path) -> None:
    with server(clone) as exported:
        assert exported["SYNC_LOGS_TARGET"] == "connect"
        with urlopen(PAGES) as page:
            assert b"<h1>Overview</h1>" in page.read()
        take(clone, dbt("build", "Completed successfully"), **exported)
        take(clone, dbt("show --select sync_runs", "sync_run_id"), **exported)
        # the embedded Spark in another terminal
        take(clone, dbt("build", "is in use by another process", is_refused=True))
        two_at_once(clone, exported)
    take(clone, dbt("build", "Completed successfully"))


def two_at_once(clone: Path, exported: dict[str, str]) -> None:
    """Of two builds, the first succeeds, and the other reports why it does not start."""
    command = DBT.format("build").split()
    asked = environment(clone) | exported
    with subprocess.Popen(command, cwd=clone, env=asked, stdout=subprocess.DEVNULL) as first:
        time.sleep(8)
        take(clone, dbt("build", "Wait until it has ended", is_refused=True), **exported)
        assert first.wait() == 0
