"""`make hub-checklist`: this package meets each demand, and a broken copy meets none.

The copy has a fault for each check, so no check passes whatever it reads. No Spark.
"""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml

from helpers.project import PROJECT
from scripts.hub_checklist import CHECKS, Check, Package, package_in
from scripts.hub_checklist import __main__ as hub_checklist
from scripts.hub_checklist.of_files import dbt_versions, dependencies

OF_THE_PROJECT = "model.theirs.sync_alerts"
# the problems of the broken copy, by the function that finds them
PROBLEMS = {
    "licence": ["no LICENSE that begins with its name"],
    "readme": [
        "it installs ['0.9.9'], not 1.0.1",
        "sync_logs_as_of is not explained",
        "it does not name the platform",
    ],
    "parses": [f"depends on the root project node '{OF_THE_PROJECT}'"],
    "tables": ["sync_health reads crm.accounts"],
    "places": ["accounts is in the schema crm"],
    "targets": ["flapping_records reads target.name", "as_json reads target.type"],
    "dbt_versions": ["<1.12.0 is within a major version of dbt"],
    "dependencies": [
        "https://example.org/utils.git does not come from the hub",
        "metaplane/dbt_expectations: it has no lower bound",
        "metaplane/dbt_expectations: it has no upper bound",
    ],
    "overrides": [
        "the macro spark__list_schemas is one of dbt's",
        "the macro generate_alias_name is one of dbt's",
        "the materialization view is one of dbt's",
    ],
    "namespaces": ["as_json calls schema_version without sync_logs."],
    "variables": [
        "lookback is a variable of every package",
        "sync_days lacks the prefix",
        "sync_logs_unit has no default",
    ],
    "names": [f"sync_health reads {OF_THE_PROJECT} of the project"],
    "documented": ["sync_log.log_id has no description"],
    "files": [
        "docs/link.md is a link",
        "readme.md is there in two spellings",
        "docs/a?.md is no name",
        "profiles.yml is shipped",
        "docs/large.bin has 11,000,000 bytes",
        "bytes are more than 10,000,000",
    ],
    "integration_tests": ["no project in the package installs it"],
    "version": ["CHANGELOG.md has no entry for 1.0.1", "the tag is 1.0.2"],
}


@pytest.fixture(scope="module")
def ours() -> Package:
    return package_in(PROJECT, PROJECT / "dbt_packages")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = copied(tmp_path_factory.mktemp("broken") / "package")
    for damage in (damage_yaml, damage_sql, damage_texts, damage_files):
        damage(folder)
    author = ["-c", "user.name=author", "-c", "user.email=author@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    subprocess.run(["git", "tag", "v1.0.2"], cwd=folder, check=True)
    return package_in(folder, PROJECT / "dbt_packages")


def copied(folder: Path) -> Path:
    """What dbt and the checks read of the project."""
    for name in ("models", "macros", "seeds", "docs", "integration_tests", "tests/last_load"):
        left_out = shutil.ignore_patterns("__pycache__", "dbt_packages", "target", "logs")
        shutil.copytree(PROJECT / name, folder / name, ignore=left_out)
    for name in ("dbt_project.yml", "packages.yml", "README.md", "CHANGELOG.md"):
        shutil.copy(PROJECT / name, folder)
    return folder


def damage_yaml(folder: Path) -> None:
    change_yaml(folder / "dbt_project.yml", damage_project)
    packages = [
        {"package": "metaplane/dbt_expectations", "version": "0.10.9"},
        {"git": "https://example.org/utils.git", "revision": "1.0.0"},
    ]
    change_yaml(folder / "packages.yml", lambda file: file.update(packages=packages))
    (folder / "integration_tests" / "packages.yml").unlink()
    source = {"name": "crm", "schema": "crm", "tables": [{"name": "accounts"}]}
    (folder / "models" / "crm.yml").write_text(yaml.safe_dump({"sources": [source]}))
    described = "data_type: string, description: \"{{ doc('log_id') }}\""
    change(folder / "models/marts/syncs/sync_log.yml", described, "data_type: string")


def damage_project(file: dict[str, object]) -> None:
    settings = file["vars"]
    assert isinstance(settings, dict)
    settings["lookback"] = 3
    settings["sync_logs"]["sync_days"] = 3
    file |= {"version": "1.0.1", "require-dbt-version": [">=1.10.6", "<1.12.0"]}


def damage_sql(folder: Path) -> None:
    health = folder / "models/marts/alerts/sync_health.sql"
    change(health, "ref('sync_logs', 'sync_alerts')", "ref('sync_alerts')")
    change(health, "where is_open", "join crm.accounts as a on true\n    where is_open")
    flapping = folder / "models/marts/records/flapping_records.sql"
    flapping.write_text("{# #}{% if target.name == 'prod' %}{% endif %}\n" + flapping.read_text())
    macros = {
        "as_json(value)": "{% if target['type'] == 'spark' %}{{ schema_version() }}{% endif %}"
        "{{ var('sync_logs_unit') }}",
        "spark__list_schemas(database)": "",
        "generate_alias_name(custom_alias_name=none, node=none)": "{{ node.name }}",
    }
    text = "".join(f"{{% macro {name} %}}{body}{{% endmacro %}}\n" for name, body in macros.items())
    text += "{% materialization view, adapter='spark' %}{% endmaterialization %}\n"
    (folder / "macros" / "damage.sql").write_text(text)


def damage_texts(folder: Path) -> None:
    change(folder / "docs/package.md", "revision: 1.0.0", "revision: 0.9.9")
    change(folder / "docs/configuration.md", "### `sync_logs_as_of`", "### As of")
    change(folder / "README.md", "Apache Spark", "a warehouse")


def damage_files(folder: Path) -> None:
    (folder / "docs" / "link.md").symlink_to("bi.md")
    (folder / "readme.md").touch()
    (folder / "docs" / "a?.md").touch()
    (folder / "profiles.yml").touch()
    (folder / "docs" / "large.bin").write_bytes(bytes(11_000_000))


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text, f"{file}: {old}"
    file.write_text(text.replace(old, new))


def change_yaml(file: Path, damage: Callable[[dict[str, object]], None]) -> None:
    read = yaml.safe_load(file.read_text())
    damage(read)
    file.write_text(yaml.safe_dump(read))


def test_this_package_meets_each_demand(
    ours: Package, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hub_checklist, "package_in", lambda *_: ours)
    code = hub_checklist.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith("✓ ")] == []
    assert (code, len(lines)) == (0, len(CHECKS))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.find.__name__)
def test_each_check_can_fail(check: Check, broken: Package) -> None:
    problems = check.finding(broken).problems
    expected = PROBLEMS[check.find.__name__]
    unseen = [one for one in expected if not any(one in problem for problem in problems)]
    assert unseen == [], problems


def test_the_table_of_a_broken_package_says_why(
    broken: Package, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hub_checklist, "package_in", lambda *_: broken)
    assert hub_checklist.main() == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith("✗ ")] == []
    (of_readme,) = [line for line in lines if "README: " in line]
    said = "it installs ['0.9.9'], not 1.0.1; sync_days is not explained; sync_logs_as_of is not"
    assert said in of_readme
    # a line does not hide the others
    assert of_readme.endswith(" and 1 more")


def test_a_package_that_does_not_parse_meets_no_demand_on_its_models(ours: Package) -> None:
    unparsed = replace(ours, manifest=None, warnings=("Compilation Error",))
    found = {check.find.__name__ for check in CHECKS if check.finding(unparsed).problems}
    assert found == {"parses", *(one.find.__name__ for one in CHECKS if one.needs_manifest)}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([">=1.10.6", "<3.0.0"], None),
        ([">=1.10.6"], "it has no upper bound"),
        ("<2.0.0", "it has no lower bound"),
        (None, "it has no lower bound"),
        ([">=1.10", "<2.0.0"], "not a valid semantic version"),
    ],
)
def test_ranges_are_read_as_dbt_reads_them(
    ours: Package, given: object, problem: str | None
) -> None:
    of_dbt = dbt_versions(replace(ours, project={"require-dbt-version": given})).problems
    of_package = dependencies(replace(ours, needed=({"package": "a/b", "version": given or []},)))
    for problems in (of_dbt, of_package.problems):
        assert bool(problems) == bool(problem)
        assert problem is None or any(problem in one for one in problems)


def test_our_licence_is_the_text_that_others_have() -> None:
    """GitHub compares the text, not the title."""
    known = distribution("requests").read_text("licenses/LICENSE")
    assert known is not None
    assert " ".join((PROJECT / "LICENSE").read_text().split()) in " ".join(known.split())
