"""The manifest of a project that uses the package: `integration_tests`, and variants of it.

One variant has every example of docs/package.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from helpers.consumer_projects import (
    bare_consumer,
    consumer,
    folders_of_marts,
    mart_folder,
    ours,
    parsed,
    rename,
    schemas_of,
)
from helpers.documents import blocks
from helpers.project import PROJECT
from link_packages import link_packages

PAGE = PROJECT / "docs" / "package.md"
OUR_DESTINATIONS = "model.sync_logs.destinations"


@pytest.fixture(scope="module", autouse=True)
def customer_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where the project's profile and settings look for its warehouse and its lake."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUSTOMER_HOME", str(tmp_path_factory.mktemp("unused")))
        yield


@pytest.fixture(scope="module")
def manifest(parsed_consumer: Any) -> Any:
    """The manifest of the unchanged project."""
    return parsed_consumer


def test_a_consumer_gets_no_tests_but_those_of_the_last_load(manifest: Any) -> None:
    tests = ours(manifest, "test").values()
    assert {Path(test.original_file_path).parent.name for test in tests} == {"last_load"}
    assert manifest.unit_tests == {}


def test_only_documented_tables_are_public(manifest: Any) -> None:
    models = ours(manifest, "model").values()
    found = {(mart_folder(model) is not None, str(model.access)) for model in models}
    assert found == {(True, "public"), (False, "protected")}


def test_landed_records_depend_on_the_purged_ones(manifest: Any) -> None:
    landed = ours(manifest, "model")["int_records__landed"]
    assert "source.sync_logs.sync_logs_state.purged_records" in landed.depends_on.nodes


def test_the_lock_lists_the_packages_that_a_project_has(tmp_path: Path) -> None:
    # dbt-core 1.12 counts them, and refuses a project with another number in its lock
    for name in ("theirs", "__half_installed"):
        (tmp_path / "dbt_packages" / name).mkdir(parents=True)
    link_packages(tmp_path)
    locked = yaml.safe_load((tmp_path / "package-lock.yml").read_text())["packages"]
    assert {one["name"] for one in locked} == {"sync_logs", "dbt_expectations", "theirs"}
    assert all((tmp_path / one["local"]).is_dir() for one in locked)


def test_models_of_theirs_are_settings_rules_and_sources_without_a_warning(tmp_path: Path) -> None:
    relations = {"settings": "their_settings", "error_rules": "their_rules"}
    tables = ("sync_changelog", "sync_runs", "sync_snapshot", "destinations")
    source = {
        "name": "ht",
        "type": "hightouch",
        "relations": {table: f"their_{table}" for table in tables},
    }
    given = {f"sync_logs_{name}_relation": model for name, model in relations.items()}
    project = bare_consumer(
        tmp_path / "project", vars={"sync_logs": {**given, "sync_logs_sources": [source]}}
    )
    (project / "models").mkdir()
    sources = {f"their_{table}" for table in tables}
    for model in (*relations.values(), *sources):
        (project / "models" / f"{model}.sql").write_text("select 1 as id")
    models = ours(parsed(project, "--warn-error", profiles=PROJECT / "profiles"), "model")
    read = {name for node in models.values() for name in node.depends_on.nodes}
    assert {f"model.theirs.{model}" for model in relations.values()} <= read
    # so dbt builds them before each model that reads them
    readers = [f"int_hightouch__{name}" for name in ("arrivals", "records", "runs", "snapshots")]
    for name in [*readers, "int_sources__names"]:
        theirs = {f"model.theirs.{model}" for model in sources}
        assert theirs <= {*models[name].depends_on.nodes}, name


def test_our_own_project_gets_no_warning_and_parses_with_older_dbt() -> None:
    manifest = parsed(PROJECT, "--warn-error", profiles=PROJECT / "profiles")
    disabled = {
        node.name
        for nodes in manifest.disabled.values()
        for node in nodes
        if node.resource_type == "model"
    }
    assert "int_hightouch__records" in disabled
    unit_tests = [
        unit_test
        for file in (PROJECT / "models").rglob("*__unit_tests.yml")
        for unit_test in yaml.safe_load(file.read_text())["unit_tests"]
    ]
    # dbt-core 1.10 stops at a unit test of a disabled model that its own config does not disable
    assert not [
        unit_test["name"]
        for unit_test in unit_tests
        if unit_test["model"] in disabled and "enabled" not in unit_test.get("config", {})
    ]


def test_our_schemas_share_a_prefix(manifest: Any) -> None:
    models = ours(manifest, "model").values()
    assert schemas_of(model for model in models if mart_folder(model)) == {"analytics_sync_logs"}
    rest = [*(model for model in models if not mart_folder(model))]
    rest += ours(manifest, "seed").values()
    assert schemas_of(rest) == {"analytics_sync_logs_state"}
    sources = [one for one in manifest.sources.values() if one.source_name == "sync_logs_lake"]
    assert schemas_of(sources) == {"analytics_sync_logs_lake"}


def test_no_model_depends_on_a_documented_one_of_another_folder(manifest: Any) -> None:
    """So you can disable any folder, or any combination of folders."""
    models = {node.unique_id: node for node in ours(manifest, "model").values()}
    needed = {
        (mart_folder(node), mart_folder(models[needed]))
        for node in models.values()
        for needed in node.depends_on.nodes
        if needed in models and mart_folder(models[needed])
    }
    assert {(user, used) for user, used in needed if user != used} == set()


@pytest.fixture(scope="module")
def renamed_and_scanned(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The manifest of a project with other schemas and the tests of whole tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUSTOMER_FULL_SCAN", "yes")
        return parsed(consumer(tmp_path_factory.mktemp("renamed") / "project", rename))


def test_renamed_schemas_are_those_of_the_project(renamed_and_scanned: Any) -> None:
    models = ours(renamed_and_scanned, "model").values()
    found = {mart_folder(model) is not None: model.schema for model in models}
    assert found == {True: "analytics_logs", False: "analytics_logs_state"}


def test_full_scans_can_be_enabled_and_test_our_models(renamed_and_scanned: Any) -> None:
    tests = ours(renamed_and_scanned, "test")
    assert "assert_no_record_is_lost" in tests
    # a singular test has its own file, so it is not declared under a model
    of_destinations = [
        test
        for test in tests.values()
        if getattr(test, "file_key_name", None) == "models.destinations"
    ]
    assert of_destinations
    assert {tuple(test.depends_on.nodes) for test in of_destinations} == {(OUR_DESTINATIONS,)}


def test_every_folder_of_documented_tables_can_be_disabled(tmp_path: Path) -> None:
    def disable(configuration: dict[str, Any]) -> None:
        configuration["models"]["sync_logs"] = {
            "marts": {folder: {"+enabled": False} for folder in folders_of_marts()}
        }
        configuration["vars"]["sync_logs"]["sync_logs_error_rules_relation"] = "theirs.rules"

    project = consumer(tmp_path / "project", disable)
    # their models and tests that query our tables
    for folder in ("models", "tests"):
        for file in (project / folder).glob("*.sql"):
            if "sync_logs" in file.read_text() or "newsletter" in file.read_text():
                file.unlink()
    for file in (project / "tests").glob("*_is_as_expected.sql"):
        file.unlink()
    (project / "models" / "_models.yml").unlink()
    manifest = parsed(project)
    left = ours(manifest, "model").values()
    assert left
    assert {model.name for model in left if mart_folder(model)} == set()
    assert ours(manifest, "test") == {}


@pytest.fixture(scope="module")
def with_examples(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The manifest of the project with all examples of the page; parsing it gives no warning."""

    def add(configuration: dict[str, Any]) -> None:
        # the project's own settings do the same
        del configuration["vars"]["sync_logs"]["sync_logs_words"]
        del configuration["data_tests"]
        for example in yaml_examples():
            merge(configuration, example)

    project = consumer(tmp_path_factory.mktemp("examples") / "project", add)
    rules, questions, duckdb = sql_examples()
    (project / "models" / "my_error_rules.sql").write_text(rules)
    found = re.split(r"^(?=\{\{)", questions, flags=re.MULTILINE)
    assert len(found) == 4
    for number, question in enumerate(found):
        (project / "models" / f"question_{number}.sql").write_text(question)
    assert "/analytics_sync_logs.db/sync_runs/" in duckdb
    return parsed(project, "--warn-error")


def yaml_examples() -> list[dict[str, Any]]:
    """The examples for `dbt_project.yml`."""
    examples = [yaml.safe_load(block) for block in blocks(PAGE, "yaml")]
    return [example for example in examples if "packages" not in example]


def sql_examples() -> tuple[str, str, str]:
    """The rules, the questions that use macros, and the query for another engine."""
    rules, duckdb, questions = blocks(PAGE, "sql")
    return rules, questions, duckdb


def merge(into: dict[str, Any], example: dict[str, Any]) -> None:
    """Merge an example into the configuration."""
    for key, value in example.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def test_the_page_names_this_version() -> None:
    (example,) = [one for one in map(yaml.safe_load, blocks(PAGE, "yaml")) if "packages" in one]
    project = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())
    assert [package["revision"] for package in example["packages"]] == [project["version"]]
    assert f'\nversion = "{project["version"]}"\n' in (PROJECT / "pyproject.toml").read_text()


def test_the_examples_of_the_page_have_their_documented_effect(with_examples: Any) -> None:
    models = ours(with_examples, "model")
    tables = {name for name, model in models.items() if model.config.materialized == "table"}
    by_folder = {
        name for name, one in models.items() if mart_folder(one) in ("errors", "audiences")
    }
    assert tables == by_folder | {"sync_runs"}
    # this folder is disabled
    assert "activity" not in {mart_folder(model) for model in models.values()}
    # our full scans are enabled: the singular tests and the generic tests of the marts
    tests = ours(with_examples, "test")
    assert "assert_no_record_is_lost" in tests
    assert any(name.startswith("unique_key") for name in tests)
    theirs = with_examples.nodes["model.customer_analytics.newsletter_recipients"]
    assert theirs.config.materialized == "view"
    # the project's materialization for its own models does not apply to our state
    assert models["int_records__landed"].config.materialized == "load"
    built_first = models["int_error_rules__used"].depends_on.nodes
    assert "model.customer_analytics.my_error_rules" in built_first


def test_the_macros_of_the_page_read_our_tables(with_examples: Any) -> None:
    read = {
        number: with_examples.nodes[f"model.customer_analytics.question_{number}"].depends_on.nodes
        for number in range(4)
    }
    assert read == {
        0: [
            "seed.customer_analytics.customers",
            *("model.sync_logs.int_record_states__live", "model.sync_logs.int_errors__counted"),
            "model.sync_logs.sync_load_current",
        ],
        1: ["model.sync_logs.audience_memberships"],
        2: ["model.sync_logs.int_payloads__compared", "model.sync_logs.int_runs__live"],
        3: [
            *("model.sync_logs.int_runs__live", "model.sync_logs.int_record_states__live"),
            *("model.sync_logs.int_payloads__compared", "seed.customer_analytics.customers"),
        ],
    }


def test_the_page_names_each_folder_that_can_be_disabled() -> None:
    section = PAGE.read_text().split("## Parts\n")[1].split("```")[0]
    assert set(folders_of_marts()) - {"_exposures.yml"} <= set(re.findall(r"`(\w+)`", section))


def test_the_page_names_our_schemas(manifest: Any) -> None:
    named = set(re.findall(r"^\| `(analytics_\w+)` \|", PAGE.read_text(), re.MULTILINE))
    models = ours(manifest, "model").values()
    lake = [one for one in manifest.sources.values() if one.source_name == "sync_logs_lake"]
    assert named == schemas_of(models) | schemas_of(lake)
