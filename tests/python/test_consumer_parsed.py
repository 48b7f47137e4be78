"""What dbt knows of a project that uses the package: `integration_tests`, and variants of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from consumers import (
    bare_consumer,
    consumer,
    folders_of_marts,
    mart_folder,
    ours,
    parsed,
    rename,
    schemas_of,
)
from project import PROJECT

OUR_DESTINATIONS = "model.sync_logs.destinations"


@pytest.fixture(scope="module", autouse=True)
def customer_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where the project's profile and settings look for its warehouse and its lake."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUSTOMER_HOME", str(tmp_path_factory.mktemp("unused")))
        yield


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What dbt knows of the project as it is."""
    return parsed(consumer(tmp_path_factory.mktemp("parsed") / "project"))


def test_a_consumer_gets_no_tests_but_those_of_the_last_load(manifest: Any) -> None:
    tests = ours(manifest, "test").values()
    assert {Path(test.original_file_path).parent.name for test in tests} == {"last_load"}
    assert manifest.unit_tests == {}


def test_documented_tables_alone_are_public(manifest: Any) -> None:
    models = ours(manifest, "model").values()
    found = {(mart_folder(model) is not None, str(model.access)) for model in models}
    assert found == {(True, "public"), (False, "protected")}


def test_what_was_purged_is_in_the_lineage_of_what_is_landed(manifest: Any) -> None:
    landed = ours(manifest, "model")["int_records__landed"]
    assert "source.sync_logs.sync_logs_state.purged_records" in landed.depends_on.nodes


def test_our_analyses_are_no_part_of_a_consumers_project(manifest: Any) -> None:
    assert ours(manifest, "analysis") == {}


def test_a_project_with_settings_and_rules_of_its_own_gets_no_warning(tmp_path: Path) -> None:
    relations = {"settings": "their_settings", "error_rules": "their_rules"}
    project = bare_consumer(
        tmp_path / "project",
        vars={
            "sync_logs": {f"sync_logs_{name}_relation": model for name, model in relations.items()}
        },
    )
    (project / "models").mkdir()
    for model in relations.values():
        (project / "models" / f"{model}.sql").write_text("select 1 as id")
    manifest = parsed(project, "--warn-error", profiles=PROJECT / "profiles")
    assert {f"model.theirs.{model}" for model in relations.values()} <= {
        name for node in ours(manifest, "model").values() for name in node.depends_on.nodes
    }


def test_our_own_project_gets_no_warning() -> None:
    parsed(PROJECT, "--warn-error", profiles=PROJECT / "profiles")


def test_schemas_have_a_prefix_of_their_own(manifest: Any) -> None:
    models = ours(manifest, "model").values()
    assert schemas_of(model for model in models if mart_folder(model)) == {"analytics_sync_logs"}
    rest = [*(model for model in models if not mart_folder(model))]
    rest += ours(manifest, "seed").values()
    assert schemas_of(rest) == {"analytics_sync_logs_state"}
    sources = [one for one in manifest.sources.values() if one.source_name == "sync_logs_lake"]
    assert schemas_of(sources) == {"analytics_sync_logs_lake"}


def test_renamed_schemas_are_those_of_the_project(tmp_path: Path) -> None:
    models = ours(parsed(consumer(tmp_path / "project", rename)), "model").values()
    found = {mart_folder(model) is not None: model.schema for model in models}
    assert found == {True: "analytics_logs", False: "analytics_logs_state"}


def test_no_model_needs_a_documented_one_of_another_folder(manifest: Any) -> None:
    """So each folder can be disabled alone, and in any company."""
    models = {node.unique_id: node for node in ours(manifest, "model").values()}
    needed = {
        (mart_folder(node), mart_folder(models[needed]))
        for node in models.values()
        for needed in node.depends_on.nodes
        if needed in models and mart_folder(models[needed])
    }
    assert {(user, used) for user, used in needed if user != used} == set()


def test_full_scans_can_be_asked_for_and_mean_our_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUSTOMER_FULL_SCAN", "yes")
    tests = ours(parsed(consumer(tmp_path / "project")), "test")
    assert "assert_no_record_is_lost" in tests
    # a test of its own file has no model that it is written under
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
    # models and tests of theirs that ask for our tables
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
