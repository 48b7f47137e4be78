"""The package in somebody else's project: `integration_tests`, and variants of it.

What needs Spark runs in two processes, each with a session of its own and two builds.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from consumer_process import SET, WRITE_LAKE, Told, told_by
from consumers import consumer, folders_of_marts, mart_folder, ours, parsed, schemas_of

OUR_DESTINATIONS = "model.sync_logs.destinations"
# without the tests of theirs that read our tables
OURS_ALONE = [
    *("--select", "+package:sync_logs"),
    *("--exclude", "package:customer_analytics,test_type:singular"),
]
SCHEMA_MACRO = """\
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
"""


def variables(**given: object) -> list[str]:
    return ["--vars", json.dumps(given)]


# -- What can be seen without Spark


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
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


# -- A project of its own, without our plugin, built twice


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What each command did."""
    folder = tmp_path_factory.mktemp("consumer")
    second = variables(expected_build=2)
    among_ours = {"sync_logs_settings_relation": "Analytics_Sync_Logs.my_settings"}
    commands = {
        "first build": ["build"],
        "second build": ["build", *second],
        # all with the same variables, so that dbt need not parse everything anew
        "a model of theirs": ["run", *second, "--select", "customer_analytics.destinations"],
        "a test of theirs": ["test", *second, "--select", "unique_destinations_airport"],
        "a seed of theirs": ["seed", *second, "--select", "customers"],
        "full scans": [
            *("test", *second, "--select", "tag:full_scan,test_type:singular"),
            "tag:full_scan,sync_logs.marts.facts",
        ],
        "results of the first build": ["test", "--select", "assert_sync_changelog_is_as_expected"],
        "settings among our tables": ["build", *variables(**among_ours)],
    }
    steps = [[WRITE_LAKE, "1"], *commands.values()]
    steps.insert(2, [WRITE_LAKE, "2"])
    steps.insert(steps.index(commands["full scans"]), [SET, "CUSTOMER_FULL_SCAN", "yes"])
    project = consumer(folder / "project")
    told = told_by(made(folder / "home"), steps, project=project, has_plugin=False)
    return dict(zip(commands, told, strict=True))


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize("build", ["first build", "second build"])
def test_each_build_ends_in_the_expected_rows(built: dict[str, Told], build: str) -> None:
    told = built[build]
    assert told.succeeded, told.everything()
    assert told.failed() == {}
    passed = {name for name, status in told.status.items() if status == "pass"}
    assert len([name for name in passed if name.endswith("_is_as_expected")]) == 5
    assert {
        "assert_both_destinations_are_whole",
        "assert_failing_customers_get_no_newsletter",
        "assert_members_on_march_3_are_as_expected",
        "assert_plan_changes_are_as_expected",
        "assert_no_new_record_is_lost",
    } <= passed


def test_the_comparison_finds_what_differs(built: dict[str, Told]) -> None:
    failed = built["results of the first build"].failed()
    assert list(failed) == ["assert_sync_changelog_is_as_expected"]
    # the rows of the one run that came later
    assert "Got 3 results" in failed["assert_sync_changelog_is_as_expected"]


def test_a_part_that_is_disabled_is_not_built(built: dict[str, Told]) -> None:
    assert "sync_runs" in built["first build"].status
    assert "sync_activity_daily" not in built["first build"].status


def test_their_relations_are_built_before_they_are_asked(built: dict[str, Told]) -> None:
    order = list(built["first build"].status)
    assert order.index("my_sync_settings") < order.index("stg_sync_logs__sync_settings")
    assert order.index("my_error_rules") < order.index("stg_sync_logs__error_rules")


@pytest.mark.parametrize("command", ["a model of theirs", "a test of theirs", "a seed of theirs"])
def test_a_command_without_our_models_runs_none_of_our_queries(
    built: dict[str, Told], command: str
) -> None:
    told = built[command]
    assert told.succeeded, told.everything()
    assert told.queries
    # dbt itself lists the schemas of the whole project
    ours_found = [one for one in told.queries if "sync_logs" in one and not is_listing(one)]
    assert ours_found == []


def is_listing(query: str) -> bool:
    return "show table extended in" in query or "show databases" in query


def test_full_scans_pass_on_both_destinations(built: dict[str, Told]) -> None:
    told = built["full scans"]
    assert told.succeeded, told.everything()
    assert {"assert_no_record_is_lost", "assert_delivered_rows_are_open_memberships"} <= set(
        told.status
    )
    assert len(told.status) > 2


def test_settings_among_our_tables_are_refused(built: dict[str, Told]) -> None:
    told = built["settings among our tables"]
    assert not told.succeeded
    assert (
        "sync_logs_settings_relation is Analytics_Sync_Logs.my_settings, in a schema that this "
        "package writes to; put the relation into another schema."
    ) in told.everything()


# -- Other names for our schemas, with our plugin


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What each command did, in a project that renames our schemas twice over, and in another."""
    folder = tmp_path_factory.mktemp("renamed")
    project = consumer(folder / "renamed", rename)
    (project / "macros" / "generate_schema_name.sql").write_text(SCHEMA_MACRO)
    without_models = consumer(folder / "without_models", disable_models)
    for models in ("models", "tests"):
        for file in (without_models / models).glob("*"):
            if file.name != "destinations.sql":
                file.unlink()
    record = {"organization_id": "77", "identifier": "c3"}
    days = {"retention_days": 7, "dry_run": False}
    commands = {
        "build": ["build", *OURS_ALONE],
        "doctor": ["run-operation", "sync_logs.sync_logs_doctor"],
        "prune": ["run-operation", "sync_logs.prune_sync_logs", "--args", json.dumps(days)],
        "purge": ["run-operation", "sync_logs.purge_record", "--args", json.dumps(record)],
        "build after": ["build", *OURS_ALONE],
        "doctor after": ["run-operation", "sync_logs.sync_logs_doctor"],
        "another lake": ["build", *variables(sync_logs_lake_path=str(folder / "another"))],
        "without models": [str(without_models), "build"],
    }
    steps = [[WRITE_LAKE, "1"], *commands.values()]
    told = told_by(made(folder / "home"), steps, project=project, has_plugin=True)
    return dict(zip(commands, told, strict=True))


def rename(configuration: dict[str, Any]) -> None:
    # the marts follow the first line, the state the others
    configuration["models"]["sync_logs"] = {
        "marts": {"+schema": "logs"},
        "staging": {"+schema": "logs_state"},
        "intermediate": {"+schema": "logs_state"},
    }
    configuration["seeds"]["sync_logs"] = {"+schema": "logs_state"}


def disable_models(configuration: dict[str, Any]) -> None:
    configuration["models"]["sync_logs"] = {"+enabled": False}
    for name in ("sync_logs_settings_relation", "sync_logs_error_rules_relation"):
        del configuration["vars"]["sync_logs"][name]


def test_everything_follows_to_renamed_schemas(renamed: dict[str, Told]) -> None:
    for command in ("build", "doctor", "prune", "purge", "build after", "doctor after"):
        told = renamed[command]
        assert told.succeeded, told.everything()
        assert told.failed() == {}
        assert [query for query in told.queries if "sync_logs_state" in query] == []
    assert said(renamed["doctor"], "schemas").split() == ["schemas", "logs,", "logs_state"]
    assert "5, 0 not settled, 0 pruned" in said(renamed["doctor"], "runs ")
    assert "5, 0 not settled, 4 pruned" in said(renamed["doctor after"], "runs ")


def said(told: Told, start: str) -> str:
    return next(line for line in told.said if line.strip().startswith(start))


def test_another_lake_is_refused_in_renamed_schemas(renamed: dict[str, Told]) -> None:
    told = renamed["another lake"]
    assert not told.succeeded
    assert "The schema logs was built from " in told.everything()


def test_a_project_without_our_models_runs_none_of_our_queries(renamed: dict[str, Told]) -> None:
    told = renamed["without models"]
    assert told.succeeded, told.everything()
    of_lake = [query for query in told.queries if "sync_logs_lake" in query]
    assert of_lake == []
