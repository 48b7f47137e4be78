"""The package in somebody else's project: builds of `integration_tests`, and of variants of it.

All in one process, with a Spark as such a project has it.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from consumer_process import INSTALL_PLUGIN, SET, WRITE_LAKE, Told, told_by
from consumers import consumer, rename

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


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What each command did, in the project as it is and in those that are changed."""
    folder = tmp_path_factory.mktemp("consumer")
    commands = as_it_is() | renamed(folder)
    before = {
        "first build": [[WRITE_LAKE, "1"]],
        "second build": [[WRITE_LAKE, "2"]],
        "full scans": [[SET, "CUSTOMER_FULL_SCAN", "yes"]],
        "renamed build": [
            [INSTALL_PLUGIN],
            [SET, "CUSTOMER_FULL_SCAN", "no"],
            [SET, "CUSTOMER_HOME", str(made(folder / "home_of_others"))],
            [WRITE_LAKE, "1"],
        ],
    }
    steps = [
        step for name, command in commands.items() for step in (*before.get(name, ()), command)
    ]
    found = told_by(made(folder / "home"), steps, project=consumer(folder / "project"))
    return dict(zip(commands, found, strict=True))


def as_it_is() -> dict[str, list[str]]:
    second = variables(expected_build=2)
    among_ours = {"sync_logs_settings_relation": "Analytics_Sync_Logs.my_settings"}
    return {
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


def renamed(folder: Path) -> dict[str, list[str]]:
    """Commands of a project that renames our schemas twice over, and of one without our models."""
    project = consumer(folder / "renamed", rename)
    (project / "macros" / "generate_schema_name.sql").write_text(SCHEMA_MACRO)
    without_models = consumer(folder / "without_models", disable_models)
    for models in ("models", "tests"):
        for file in (without_models / models).glob("*"):
            if file.name != "destinations.sql":
                file.unlink()
    record = {"organization_id": "77", "identifier": "c3"}
    days = {"retention_days": 7, "dry_run": False}
    operation = [str(project), "run-operation"]
    return {
        "renamed build": [str(project), "build", *OURS_ALONE],
        "doctor": [*operation, "sync_logs.sync_logs_doctor"],
        "prune": [*operation, "sync_logs.prune_sync_logs", "--args", json.dumps(days)],
        "purge": [*operation, "sync_logs.purge_record", "--args", json.dumps(record)],
        "build after": [str(project), "build", *OURS_ALONE],
        "doctor after": [*operation, "sync_logs.sync_logs_doctor"],
        "another lake": [
            *(str(project), "build"),
            *variables(sync_logs_lake_path=str(folder / "another")),
        ],
        "without models": [str(without_models), "build"],
    }


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize("build", ["first build", "second build"])
def test_each_build_ends_in_the_expected_rows(done: dict[str, Told], build: str) -> None:
    told = done[build]
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


def test_the_comparison_finds_what_differs(done: dict[str, Told]) -> None:
    failed = done["results of the first build"].failed()
    assert list(failed) == ["assert_sync_changelog_is_as_expected"]
    # the rows of the one run that came later
    assert "Got 3 results" in failed["assert_sync_changelog_is_as_expected"]


def test_a_part_that_is_disabled_is_not_built(done: dict[str, Told]) -> None:
    assert "sync_runs" in done["first build"].status
    assert "sync_activity_daily" not in done["first build"].status


def test_their_relations_are_built_before_they_are_asked(done: dict[str, Told]) -> None:
    order = list(done["first build"].status)
    assert order.index("my_sync_settings") < order.index("stg_sync_logs__sync_settings")
    assert order.index("my_error_rules") < order.index("stg_sync_logs__error_rules")


@pytest.mark.parametrize("command", ["a model of theirs", "a test of theirs", "a seed of theirs"])
def test_a_command_without_our_models_runs_none_of_our_queries(
    done: dict[str, Told], command: str
) -> None:
    told = done[command]
    assert told.succeeded, told.everything()
    assert told.queries
    # dbt itself lists the schemas of the whole project
    ours_found = [one for one in told.queries if "sync_logs" in one and not is_listing(one)]
    assert ours_found == []


def is_listing(query: str) -> bool:
    return "show table extended in" in query or "show databases" in query


def test_full_scans_pass_on_both_destinations(done: dict[str, Told]) -> None:
    told = done["full scans"]
    assert told.succeeded, told.everything()
    assert {"assert_no_record_is_lost", "assert_delivered_rows_are_open_memberships"} <= set(
        told.status
    )
    assert len(told.status) > 2


def test_settings_among_our_tables_are_refused(done: dict[str, Told]) -> None:
    told = done["settings among our tables"]
    assert not told.succeeded
    assert (
        "sync_logs_settings_relation is Analytics_Sync_Logs.my_settings, in a schema that this "
        "package writes to; put the relation into another schema."
    ) in told.everything()


# -- Other names for our schemas


def disable_models(configuration: dict[str, Any]) -> None:
    configuration["models"]["sync_logs"] = {"+enabled": False}
    for name in ("sync_logs_settings_relation", "sync_logs_error_rules_relation"):
        del configuration["vars"]["sync_logs"][name]


def test_everything_follows_to_renamed_schemas(done: dict[str, Told]) -> None:
    for command in ("renamed build", "doctor", "prune", "purge", "build after", "doctor after"):
        told = done[command]
        assert told.succeeded, told.everything()
        assert told.failed() == {}
        assert [query for query in told.queries if "sync_logs_state" in query] == []
    assert said(done["doctor"], "schemas").split() == ["schemas", "logs,", "logs_state"]
    assert "5, 0 not settled, 0 pruned" in said(done["doctor"], "runs ")
    assert "5, 0 not settled, 4 pruned" in said(done["doctor after"], "runs ")


def said(told: Told, start: str) -> str:
    return next(line for line in told.said if line.strip().startswith(start))


def test_another_lake_is_refused_in_renamed_schemas(done: dict[str, Told]) -> None:
    told = done["another lake"]
    assert not told.succeeded
    assert "The schema logs was built from " in told.everything()


def test_a_project_without_our_models_runs_none_of_our_queries(done: dict[str, Told]) -> None:
    told = done["without models"]
    assert told.succeeded, told.everything()
    of_lake = [query for query in told.queries if "sync_logs_lake" in query]
    assert of_lake == []
