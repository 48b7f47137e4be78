"""What a user sees when something is missing: one clear line, no stack trace, a non-zero exit."""

import errno
import fcntl
import os
import subprocess
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from dbt_sync_logs.checks import EmbeddedSparkError, make_home
from helpers.project import command_line
from start.fake_javas import java_of


def dbt(
    folder: Path, command: tuple[str, ...] = ("run",), **settings: str
) -> subprocess.CompletedProcess[str]:
    own = {"SYNC_LOGS_CATALOG": "hive", "SYNC_LOGS_HOME": str(folder / "home")}
    environment = os.environ | own | settings
    line = command_line(folder, *command, "--no-use-colors")
    return subprocess.run(
        line, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def said(outcome: subprocess.CompletedProcess[str]) -> str:
    assert outcome.returncode != 0
    everything = outcome.stdout + outcome.stderr
    assert "Traceback" not in everything
    return everything


@pytest.fixture(scope="module")
def without_java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for commands that end before they need Java; it keeps what dbt has parsed."""
    return tmp_path_factory.mktemp("without_java")


def test_an_incompatible_java(without_java: Path, tmp_path: Path) -> None:
    outcome = dbt(without_java, JAVA_HOME=java_of(tmp_path / "jdk", "25.0.1"))
    told = said(outcome)
    assert f"JAVA_HOME={tmp_path}/jdk leads to Java 25 ({tmp_path}/jdk/bin/java). Spark" in told
    assert "Spark runs on Java 17 to 21" in told
    assert not (without_java / "home").exists()


def test_a_command_that_reads_before_the_first_build(without_java: Path) -> None:
    told = said(dbt(without_java, ("show", "--select", "sync_runs")))
    home = without_java / "home"
    assert f"Nothing has been built in {home} yet. Run `make demo`, or `dbt build`" in told
    assert not home.exists()


def test_the_target_connect_without_a_server(without_java: Path) -> None:
    told = said(dbt(without_java, SYNC_LOGS_TARGET="connect"))
    assert "then: export SPARK_REMOTE=sc://localhost:15002\n" in told
    assert not (without_java / "home").exists()


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    assert "cannot be written" in said(dbt(tmp_path))


def test_a_home_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_it_full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", find_it_full)
    with pytest.raises(EmbeddedSparkError, match=r"\(No space left on device\). Make room"):
        make_home(tmp_path)
    assert list((tmp_path / "logs").iterdir()) == []


def test_a_catalog_in_use(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with (tmp_path / "home" / "build.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        outcome = dbt(tmp_path)
    assert "is in use by another process. Wait until it has ended" in said(outcome)


def test_a_missing_lake(unbuilt: Warehouse) -> None:
    assert not unbuilt.dbt("build")
    assert "No file under" in unbuilt.failures()
    assert "Set the var sync_logs_lake_path or SYNC_LOGS_LAKE_PATH" in unbuilt.failures()
    # dbt creates the schemas of a project before the check of the lake; a failed check drops them
    spark = SparkSession.builder.getOrCreate()
    assert [one.name for one in spark.catalog.listDatabases("sync_logs*")] == []


def test_tests_before_the_first_build(unbuilt: Warehouse) -> None:
    assert not unbuilt.dbt("test", "--select", "assert_no_new_record_is_lost")
    assert (
        "Nothing has been built in the schema sync_logs yet; run `dbt build`" in unbuilt.failures()
    )


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ('{"sync_logs_settle_minutes": -1}', "sync_logs_settle_minutes is -1; give a number"),
        ('{"sync_logs_as_of": "yesterday"}', "sync_logs_as_of is 'yesterday'; give ISO 8601"),
        ('{"sync_logs_retention_days": -1}', "sync_logs_retention_days is -1; give a number"),
        (
            '{"sync_logs_file_format": "orc"}',
            "sync_logs_file_format is orc; give parquet, delta or",
        ),
        ('{"sync_logs_max_live_loads": 1}', "sync_logs_max_live_loads is 1; give a number from 2"),
        (
            '{"sync_logs_operation_price": "1"}',
            "sync_logs_operation_price is 1; give a number from",
        ),
        ('{"sync_logs_lake_moved": "no"}', "sync_logs_lake_moved is no; give true or false"),
        ('{"sync_logs_settle_minute": 5}', "sync_logs_settle_minute is not a setting of sync_logs"),
        ('{"sync_logs_words": [synced]}', "sync_logs_words is not a mapping; write for instance "),
        (
            '{"sync_logs_words": {"statuses": {"synced": "succeeded"}}}',
            "sync_logs_words has the key statuses; its keys are operation, status, run_status",
        ),
        (
            '{"sync_logs_words": {"status": {"synced": "ok"}}}',
            'sync_logs_words says that the status "synced" means ok; give one of succeeded, failed',
        ),
        (
            '{"sync_logs_words": {"status": {"REJECTED": "succeeded"}}}',
            'status "REJECTED" means succeeded, but it is known as failed; leave it out.',
        ),
        (
            '{"sync_logs_words": {"status": {"ok": "succeeded", "OK ": "failed"}}}',
            'sync_logs_words gives the status "ok" two meanings, succeeded and failed',
        ),
        (
            "{sync_logs_words: {status: {0200: succeeded}}}",
            "sync_logs_words has the word 128 of status, which is not a text; write it in quotes",
        ),
    ],
)
def test_a_setting_out_of_range(unbuilt: Warehouse, variables: str, message: str) -> None:
    assert not unbuilt.dbt("build", variables=variables)
    assert message in unbuilt.failures()


def test_a_missing_table(unbuilt: Warehouse) -> None:
    assert not unbuilt.dbt("show", "--select", "sync_runs")
    told = unbuilt.failures() + "\n".join(unbuilt.said)
    assert "[TABLE_OR_VIEW_NOT_FOUND]" in told
    assert "cannot be found. If it has not been built yet, run `dbt build`." in told
    assert "Project" not in told


@pytest.mark.parametrize("operation", ["sync_logs_compact", "sync_logs_collect", "prune_sync_logs"])
def test_an_operation_before_the_first_build(unbuilt: Warehouse, operation: str) -> None:
    assert not unbuilt.operation(operation)
    assert "Nothing has been built in the schema sync_logs yet" in "\n".join(unbuilt.said)


def test_the_second_of_two_builds_from_one_commit_is_refused(unbuilt: Warehouse) -> None:
    loads = {"current_load_id": "of_the_first", "previous_load_id": "of_both"}
    assert not unbuilt.operation("check_previous_load", **loads)
    assert "Another build of sync_logs has published of_the_first" in "\n".join(unbuilt.said)
