"""Databricks: the project compiles for its real adapter. Nothing runs on a workspace.

The adapter talks to a warehouse that records each statement and answers from declared answers. The
tests check every statement: Spark's parser reads it, and it keeps the rules of Unity Catalog.
"""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helpers.project import PROJECT
from long.spark_parser import parser
from scripts.databricks import python

ON_PATH = ("tests", "", "integration_tests")
LOAD_ID = re.compile(r"\d{8}T\d{12}_\w{8}")
COMMIT = "create or replace view `main`.`sync_logs_state`.`sync_load_current`"
# statements that break one rule each
FAULTY = {
    "does not parse": ["select (1"],
    "names no catalog": [
        "select * from state.runs",
        "with runs as (select 1 as x) select * from runs cross join files",
        "insert into state.runs partition (load_id = '1') select 1",
        "vacuum state.runs retain 0 hours",
        "show tblproperties `state`.`runs`",
        "create schema if not exists state",
        "show tables in state",
    ],
    "names a setting": ["set spark.sync_logs.holdsCatalog", "SET time zone UTC"],
    "calls Java": ["select reflect('java.lang.System', 'getProperty', 'x')"],
    "is refused by Unity Catalog": [
        "show partitions main.state.runs",
        "msck repair table main.state.runs",
        "refresh table main.state.runs",
        "alter table main.state.runs drop if exists partition (load_id = '1')",
        "drop table if exists main.state.runs purge",
    ],
    "creates no Delta table": [
        "create table main.state.runs (x int) using parquet",
        "create table if not exists main.lake.files using binaryFile options (path '/lake')",
        "create table main.state.runs (x int)",
        "create table main.state.runs (x int) using delta location '/x'",
    ],
}


@pytest.fixture(scope="module")
def adapter_python() -> Path:
    """The Python of an environment in which pip has installed the package and the adapter."""
    return python()


@pytest.fixture(scope="module")
def recorded(adapter_python: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What every command of the project sends to Databricks."""
    folder = tmp_path_factory.mktemp("databricks")
    run_there(adapter_python, "-m", "long.databricks_warehouse.record", PROJECT, folder)
    found: dict[str, Any] = json.loads((folder / "recorded.json").read_text())
    return found


@pytest.fixture(scope="module")
def recorded_of_consumer(
    adapter_python: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """What builds and a purge of a project that uses the package send."""
    folder = tmp_path_factory.mktemp("consumer")
    run_there(adapter_python, "-m", "long.databricks_warehouse.record_consumer", PROJECT, folder)
    found: dict[str, Any] = json.loads((folder / "recorded_consumer.json").read_text())
    return found


@pytest.fixture(scope="module")
def statements(recorded: dict[str, Any], recorded_of_consumer: dict[str, Any]) -> list[str]:
    """All different statements: those that were sent, and those of compiled nodes."""
    entries = [*recorded["sent"], *recorded["compiled"], *recorded_of_consumer["sent"]]
    texts = [entry["sql"] for entry in entries]
    return sorted({LOAD_ID.sub("load", text).strip() for text in texts})


def test_every_command_succeeds(recorded: dict[str, Any]) -> None:
    failed = {
        outcome["command"]: outcome["failures"] or outcome["logged"][-3:]
        for outcome in recorded["outcomes"]
        if not outcome["succeeded"] and not outcome["command"].startswith("refused")
    }
    assert failed == {}
    assert len(recorded["outcomes"]) > 20


def test_a_project_that_uses_the_package_builds_and_purges(
    recorded_of_consumer: dict[str, Any],
) -> None:
    outcomes = recorded_of_consumer["outcomes"]
    assert [(outcome["command"], outcome["failures"]) for outcome in outcomes] == [
        (name, []) for name in ("first build", "next build", "purge")
    ]
    assert all(outcome["succeeded"] for outcome in outcomes)
    sent = "".join(entry["sql"] for entry in recorded_of_consumer["sent"])
    assert "`main`.`analytics_sync_logs_state`.`int_runs__planned`" in sent


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no files", "No file under /Volumes/main/raw/lake/sync_tracking_datasets."),
        ("sync_logs_file_format", "is parquet, but on Databricks the tables are Delta tables"),
        ("sync_logs_lake_path", "which Databricks cannot read; give a volume"),
        ("sync_logs_python_models", "our Python models do not run on Databricks"),
    ],
)
def test_what_cannot_work_there_is_refused(recorded: dict[str, Any], name: str, said: str) -> None:
    outcomes = {outcome["command"]: outcome for outcome in recorded["outcomes"]}
    refused = outcomes[f"refused: {name}"]
    assert not refused["succeeded"]
    assert said in "\n".join(refused["failures"])


def test_every_model_test_and_seed_is_covered(recorded: dict[str, Any]) -> None:
    """All of them come from the manifest, so a new one is covered too."""
    covered = {entry["node"] for entry in [*recorded["sent"], *recorded["compiled"]]}
    nodes = {
        unique_id
        for unique_id, node in recorded["nodes"].items()
        # hooks run with every build
        if node["resource_type"] != "operation" and node["language"] != "python"
    }
    assert len(nodes) > 150
    assert nodes - covered == set()
    built = {entry["node"] for entry in recorded["sent"] if entry["command"] == "first build"}
    models = {one for one in nodes if recorded["nodes"][one]["resource_type"] == "model"}
    assert models - built == set()
    assert not any(node["language"] == "python" for node in recorded["nodes"].values())


def test_every_operation_is_covered(recorded: dict[str, Any]) -> None:
    run = {outcome["command"].split(" ")[0] for outcome in recorded["outcomes"]}
    assert len(recorded["operations"]) == 6
    assert set(recorded["operations"]) - run == set()


def test_each_way_of_an_operation_is_covered(recorded: dict[str, Any]) -> None:
    """The declared answers lead through what an operation changes, not only what it checks."""
    sent: dict[str, str] = {}
    for entry in recorded["sent"]:
        sent[entry["command"]] = sent.get(entry["command"], "") + entry["sql"] + "\n"
    assert "vacuum" in sent['purge_record {"organization_id": "7", "identifier": "a"}']
    for command in ('prune_sync_logs {"dry_run": false}', "sync_logs_compact {}"):
        assert COMMIT in sent[command]
    assert "insert" not in sent["prune_sync_logs {}"]
    assert "delete from" in sent["build after a killed one"]
    assert "add columns" in sent["build on an older state"]
    assert "max(source_name) as source_name" in sent["build on an older state"]
    assert "from_json(lake_files.content" not in sent["idle build"]
    assert "main.other.settings" in sent["settings elsewhere"]
    assert "elsewhere.other.rules" in sent["settings elsewhere"]


def test_no_statement_breaks_a_rule_of_unity_catalog(
    adapter_python: Path, statements: list[str]
) -> None:
    assert len(statements) > 500
    found = broken(adapter_python, statements)
    assert found == {rule: [] for rule in FAULTY}


def test_the_rules_find_faults(adapter_python: Path) -> None:
    found = broken(adapter_python, [sql for faulty in FAULTY.values() for sql in faulty])
    missed = {rule: set(faulty) - set(found[rule]) for rule, faulty in FAULTY.items()}
    assert missed == {rule: set() for rule in FAULTY}


def test_spark_parses_every_statement(statements: list[str]) -> None:
    with parser() as spark:
        assert spark.fault("select 1 frm x y") is not None
        faults = {sql: spark.fault(sql) for sql in statements}
    assert {sql: fault for sql, fault in faults.items() if fault} == {}


def test_a_project_without_a_lake_reads_no_files(recorded: dict[str, Any]) -> None:
    sent = [one for one in recorded["sent"] if one["command"].startswith("without a lake")]
    assert any("from main.hightouch.sync_changelog" in one["sql"] for one in sent)
    assert [one for one in sent if "read_files" in one["sql"]] == []


def test_the_lake_is_read_with_read_files(statements: list[str]) -> None:
    reading = [sql for sql in statements if "/Volumes/main/raw/lake/" in sql]
    outside = [
        sql
        for sql in reading
        if not re.search(r"read_files\('/Volumes|parquet\.`/Volumes|file_path in \('dbfs:", sql)
    ]
    assert len(reading) > 10
    assert outside == []
    files = [sql for sql in statements if "binaryFile" in sql]
    assert files
    assert all("format => 'binaryFile'" in sql for sql in files)


def run_there(adapter_python: Path, *arguments: str | Path) -> str:
    """Run a script with the target `databricks`, whose workspace does not exist; its output."""
    outcome = subprocess.run(
        [adapter_python, *arguments],
        env={name: value for name, value in os.environ.items() if "SYNC_LOGS" not in name}
        | {
            "SYNC_LOGS_TARGET": "databricks",
            "SYNC_LOGS_LAKE_PATH": "/Volumes/main/raw/lake",
            "DATABRICKS_HOST": "unused.invalid",
            "DATABRICKS_HTTP_PATH": "/sql/1.0/warehouses/unused",
            "DATABRICKS_CATALOG": "main",
            "DBT_ENV_SECRET_DATABRICKS_TOKEN": "unused",
            "CUSTOMER_HOME": "/Volumes/main/raw/customer",
            "PYTHONPATH": os.pathsep.join(str(PROJECT / name) for name in ON_PATH),
        },
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    said = outcome.stdout + outcome.stderr
    assert outcome.returncode == 0, said[-8000:]
    return said


def broken(adapter_python: Path, statements: list[str]) -> dict[str, list[str]]:
    """The statements that break each rule; the rules need sqlglot."""
    outcome = subprocess.run(
        [str(adapter_python), "-m", "long.databricks_warehouse.rules"],
        input=json.dumps(statements),
        env=os.environ | {"PYTHONPATH": str(PROJECT / "tests")},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, list[str]] = json.loads(outcome.stdout)
    return found
