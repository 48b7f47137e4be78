"""What people type in their first hour, in order (`helpers/newcomer.py`).

Each step succeeds or, if the command refuses, prints its one line.
"""

import signal
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from helpers.newcomer import DBT, Step, cloned, dbt, environment, operation, server, take

PAGES = "http://127.0.0.1:8080/"
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
    """A clone with a link to the lake that `make demo` will write."""
    folder = cloned(tmp_path_factory.mktemp("first hour"))
    (folder / "a link").symlink_to(folder / ".sync_logs" / "demo_lake", target_is_directory=True)
    return folder


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
