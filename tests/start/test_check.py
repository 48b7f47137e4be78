"""`make check` checks the models that a change touches; servers run each job of `make test`."""

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from helpers.project import PROJECT
from scripts import check
from scripts.check import touched_models
from scripts.test import JOBS


@pytest.mark.parametrize(
    ("file", "models"),
    [
        ("models/marts/syncs/sync_changelog.sql", ["sync_changelog"]),
        ("models/intermediate/runs/int_runs__planned.yml", ["int_runs__planned"]),
        (
            "models/intermediate/runs/int_runs__planned__checkpoints__unit_tests.yml",
            ["int_runs__planned"],
        ),
        (
            "macros/state/replacements.sql",
            [
                *("int_changelog__built", "int_failures__built", "int_memberships__built"),
                *("int_record_states__built", "int_record_states__counted"),
                *("int_runs__published", "int_starting_states__found"),
            ],
        ),
        ("docs/semantics.md", []),
    ],
)
def test_unit_tests_of_what_a_file_touches(
    parsed_project: Any, file: str, models: list[str]
) -> None:
    assert touched_models(parsed_project, {file}) == models


def test_a_macro_is_called_through_another_one(parsed_project: Any) -> None:
    """The model that reads the log calls `canonical_operation`, which calls this macro."""
    found = touched_models(parsed_project, {"macros/vocabulary/word_for.sql"})
    assert "int_records__logged" in found


@pytest.mark.parametrize("failing", ["lint", "parse", "pytest", ""])
def test_it_fails_if_one_of_its_parts_fails(
    parsed_project: Any, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    ran = []

    def code(command: list[str], **_: object) -> SimpleNamespace:
        ran.append(command)
        code = int(failing in command)
        file = "models/intermediate/runs/int_runs__planned.sql" if "diff" in command else ""
        return SimpleNamespace(returncode=code, wait=lambda: code, stdout=file)

    parsed = SimpleNamespace(success=failing != "parse", result=parsed_project)
    runner = SimpleNamespace(invoke=lambda _: parsed)
    monkeypatch.setattr(subprocess, "Popen", code)
    monkeypatch.setattr(subprocess, "run", code)
    monkeypatch.setattr(check, "dbtRunner", lambda: runner)
    monkeypatch.setattr("sys.argv", ["make check"])
    assert check.main() == int(failing != "")
    tests = [command for command in ran if "pytest" in command]
    assert ["--unit-tests-of=int_runs__planned" in command for command in tests] == (
        [] if failing == "parse" else [True]
    )


def test_servers_run_each_job() -> None:
    workflow = yaml.safe_load((PROJECT / ".github" / "workflows" / "ci.yml").read_text())
    assert set(workflow["jobs"]["test"]["strategy"]["matrix"]["job"]) == set(JOBS)
