"""dbt v2 parses and lists the project and a project that uses the package as dbt 1 does.

Nothing is built: dbt v2 asks a network address for its driver of Spark. `make test-engines` builds
where it has one.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from dbt.cli.main import dbtRunner

from helpers.consumer_projects import CONSUMER, LEFT_BY_DBT
from helpers.dbt_v2 import copy_for_v2, facts_of, plain_id, run_v2
from helpers.project import PROJECT
from scripts import dbt_v2
from scripts.dbt_v2 import NotInstalledError, program

# Python models need the method `session`, which dbt v2 does not have
OF_PYTHON = {
    "model.sync_logs.int_files__audited",
    "model.sync_logs.int_patterns__clustered",
    "model.sync_logs.int_run_fields__profiled",
    "test.sync_logs.assert_no_file_is_empty",
    "test.sync_logs.assert_no_file_is_hidden",
    "unit_test.sync_logs.error_clusters.error_clusters__counts_patterns_of_kept_syncs",
}
# what this table reads of theirs
ISSUES = "model.sync_logs.lake_file_issues"
OF_ISSUES = {
    f"source.sync_logs.sync_logs_state.{name}" for name in ("files_audited", "load_current")
}
AS_JSON = ("ls", "--quiet", "--output", "json", "--output-keys", "unique_id")
# a setting or an argument, what dbt v2 says
REFUSED = [
    (
        ("check_settings", "--vars", "{sync_logs_python_models: true}"),
        "sync_logs_python_models is true, but dbt v2 does not run Python models on Spark; leave",
    ),
    (
        ("check_settings", "--vars", "{sync_logs_lake_path: lake}"),
        "sync_logs_lake_path is lake, relative to the folder of the project, which dbt v2 does not",
    ),
    (
        ("check_settings", "--vars", "{sync_logs_operation_price: -1}"),
        "sync_logs_operation_price is -1; give a number from 0 to 1000000000, or null.",
    ),
    (
        ("prune_sync_logs", "--args", "{retention_days: -1}"),
        "retention_days is the number -1; write a number of days from 0 to 1000000, without ",
    ),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project for dbt v2."""
    return copy_for_v2(tmp_path_factory.mktemp("v2"))


@pytest.fixture(scope="module")
def customer(project: Path) -> Path:
    """A project that uses the package, for dbt v2."""
    copied = project.parent / "customer"
    shutil.copytree(CONSUMER, copied, ignore=shutil.ignore_patterns(*LEFT_BY_DBT))
    (copied / "packages.yml").write_text(json.dumps({"packages": [{"local": str(project)}]}))
    return copied


def parsed_by(v2: Path, project: Path) -> dict[str, Any]:
    """The facts of a project that dbt v2 parses without a word of warning."""
    is_parsed, said = run_v2(v2, project, "parse", CUSTOMER_HOME=str(project))
    assert is_parsed, said
    assert "Errors and Warnings" not in said
    return facts_of(json.loads((project / "target" / "manifest.json").read_text()))


def test_the_project_is_the_same(v2: Path, project: Path, parsed_project: Any) -> None:
    expected = facts_of(parsed_project.writable_manifest().to_dict())
    assert expected.keys() > OF_PYTHON
    expected = {key: facts for key, facts in expected.items() if key not in OF_PYTHON}
    for facts in expected.values():
        facts["depends_on"] -= OF_PYTHON
    expected[ISSUES]["depends_on"] -= OF_ISSUES
    assert parsed_by(v2, project) == expected
    assert sum(key.startswith("unit_test.") for key in expected) > 100


def test_a_project_that_uses_the_package_is_the_same(
    v2: Path, customer: Path, parsed_consumer: Any
) -> None:
    expected = facts_of(parsed_consumer.writable_manifest().to_dict())
    assert "model.customer_analytics.newsletter_audience" in expected
    assert parsed_by(v2, customer) == expected


@pytest.mark.parametrize("chosen", [(), ("--select", "fqn:*")])
def test_the_lists_are_the_same(
    v2: Path, project: Path, parsed_project: Any, chosen: tuple[str, ...], tmp_path: Path
) -> None:
    is_listed, said = run_v2(v2, project, *AS_JSON, *chosen)
    assert is_listed, said
    listed = ids(said.splitlines())
    analyses = {one for one in listed if one.startswith("analysis.")}
    folders = ["--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT / "profiles")]
    folders += ["--target-path", str(tmp_path), "--log-path", str(tmp_path)]
    outcome = dbtRunner(parsed_project).invoke([*AS_JSON, *chosen, *folders])
    # dbt 1 lists no analyses here
    assert listed - analyses == ids(outcome.result) - OF_PYTHON
    assert analyses


def ids(lines: list[str]) -> set[str]:
    """The ids in the lines of a list, without the digits of generic tests."""
    return {plain_id(json.loads(line)["unique_id"]) for line in lines if line.startswith("{")}


@pytest.mark.parametrize(("operation", "message"), REFUSED)
def test_what_it_cannot_do_is_refused(
    v2: Path, project: Path, operation: tuple[str, ...], message: str
) -> None:
    has_succeeded, said = run_v2(v2, project, "run-operation", *operation, "--quiet")
    assert not has_succeeded
    assert message in " ".join(said.split())


def test_without_a_package_index_the_reason_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dbt_v2, "FOLDER", tmp_path / "new")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(NotInstalledError, match=r"could not be installed: .*No matching"):
        program()
