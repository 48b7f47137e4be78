"""`make test-matrix`: its combinations and their packages; no environment is made."""

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from helpers.documents import blocks
from helpers.project import PROJECT
from scripts import test_matrix
from scripts.test_matrix import (
    COMBINATIONS,
    DBTS,
    LISTED_ONLY,
    MORE_TESTS,
    SPARKS,
    TESTS,
    TESTS_OF_V2,
    V2,
    Combination,
    MatrixError,
    Outcome,
)

ENGINES = PROJECT / "docs" / "engines.md"
OLDEST = Combination("3.5", "1.10", "3.10")


def test_each_release_is_in_a_combination() -> None:
    assert {one.spark for one in COMBINATIONS} == set(SPARKS)
    assert {one.dbt for one in COMBINATIONS} == set(DBTS)
    assert {one.python for one in COMBINATIONS} == {"3.10", "3.11", "3.12", "3.13"}
    assert OLDEST in COMBINATIONS
    assert Combination("4.1", "1.11", "3.13") in COMBINATIONS
    assert {*MORE_TESTS} <= {*DBTS}
    tests = [*TESTS, *TESTS_OF_V2, *(one for more in MORE_TESTS.values() for one in more)]
    assert [one for one in tests if not (PROJECT / one).is_file()] == []


def test_packages_are_those_of_the_lock_or_named() -> None:
    assert "pyspark[connect]==3.5.9" in test_matrix.requirements(OLDEST.others)
    assert "numpy<2" in test_matrix.requirements(OLDEST.others)
    names = {line.partition("==")[0] for line in test_matrix.locked(OLDEST.others)}
    assert "pandas" in names
    assert names.isdisjoint(OLDEST.others)
    lock = (PROJECT / "requirements.lock").read_text().splitlines()
    assert test_matrix.locked({}) == lock
    # these are all that pip installs for a dbt-core that needs what it cannot get
    (listed,) = [one for one in COMBINATIONS if one.dbt in LISTED_ONLY]
    assert {"dbt-core==1.12.6", "metricflow==0.213.0"} <= {*test_matrix.pinned(listed.others)}
    names = {line.partition("==")[0] for line in test_matrix.locked(listed.others)}
    assert "dbt-spark" in names
    assert names.isdisjoint({"dbt-core", "dbt-semantic-interfaces"})


def test_the_package_accepts_what_is_tested_and_no_later_release() -> None:
    lines = (PROJECT / "pyproject.toml").read_text()
    for name, releases in (("dbt-core", DBTS), ("pyspark[connect]", SPARKS)):
        (limits,) = re.findall(rf'"{re.escape(name)}>=([\d.]+),<([\d.]+)"', lines)
        tested = sorted(tuple(map(int, one.split("."))) for one in releases)
        first, after = (tuple(map(int, one.split("."))) for one in limits)
        assert (first[:2], after) == (tested[0], (tested[-1][0], tested[-1][1] + 1)), name
    # to the patch release, the package and the project begin with the same dbt-core
    project = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())
    (dbt_core,) = re.findall(r'"dbt-core(>=[\d.]+),', lines)
    assert dbt_core == project["require-dbt-version"][0]


def test_the_documented_command_installs_what_is_tested() -> None:
    (command,) = [
        line
        for block in blocks(ENGINES, "bash")
        for line in block.splitlines()
        if "pip install 'pyspark[connect]==3.5" in line
    ]
    told = dict(re.findall(r"'([a-z]+)(?:\[connect\])?([=<]=?[^']+)'", command))
    tested = SPARKS["3.5"]
    # the newest release of the line, and what fits to the NumPy that PySpark itself asks for
    assert told == {"pyspark": "==3.5.*", "pyarrow": tested["pyarrow"]}
    assert tested["pyspark"].startswith("==3.5.")


def test_what_was_run_is_in_the_table_of_its_page() -> None:
    page = ENGINES.read_text()
    newer = "Spark 4.2.9, dbt-core 1.11.99, dbt-spark 1.11.0, Python 3.11.7"
    outcomes = [
        Outcome(Combination("4.2", "1.11", "3.11"), True, newer, "20 passed", 1.0),
        Outcome(OLDEST, False, "", "no such package", 1.0),
    ]
    written = test_matrix.with_rows(page, outcomes, date(2026, 11, 28)).splitlines()
    changed = [now for before, now in zip(page.splitlines(), written, strict=True) if before != now]
    assert changed == ["| 4.2.9 | 1.11.99 | 3.11 | all, 2026-11-28 |"]
    # each combination has one row
    ran = [
        Outcome(one, False, f"{one.spark}.1, {one.dbt}.1, 1.0, {one.python}.1", "", 1.0)
        for one in COMBINATIONS
    ]
    rows = test_matrix.with_rows(page, ran, date(2026, 11, 28))
    assert rows.count(" | not all, 2026-11-28 |") == len(COMBINATIONS)


def test_a_python_that_does_not_run_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = tmp_path / "python3.10"
    refusing.write_text("#!/bin/sh\nexit 127\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MatrixError, match="was not found on the PATH, or does not run"):
        test_matrix.interpreter("3.10")


def test_dbt_v2_is_tested_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, ...]] = []

    def fail(python: Path, *tests: str) -> tuple[bool, str]:
        asked.append(tests)
        return False, "1 failed"

    monkeypatch.setattr(test_matrix, "tested", fail)
    monkeypatch.setattr("sys.argv", ["test_matrix", V2])
    assert test_matrix.main() == 1
    assert asked == [TESTS_OF_V2]
    assert capsys.readouterr().out.splitlines()[-1] == "test-matrix: dbt-v2: 1 failed"


def test_a_combination_that_cannot_be_made_fails_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(combination: Combination) -> Path:
        raise MatrixError("no such package")

    monkeypatch.setattr(test_matrix, "environment", refuse)
    monkeypatch.setattr("sys.argv", ["test_matrix", OLDEST.name])
    assert test_matrix.main() == 1
    told = capsys.readouterr().out.splitlines()[-1]
    assert OLDEST.name in told
    assert told.endswith("no such package")
    assert "FAILED" in told
