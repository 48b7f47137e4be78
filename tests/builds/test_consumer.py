"""The package in a consumer's project: a build of `integration_tests`, and commands of theirs.

`tests/long/test_consumer_changes.py` has the changes that consumers make (tables instead of views,
none of our models, full scans), and `tests/long/test_consumer_killed.py` a killed and a second
build.

The commands run in their own process, with Spark as a consumer has it, and without our plugin.
"""

from importlib.metadata import version
from typing import Any

import pytest

from helpers.consumer_builds import (
    FAIL_AT,
    HIDE_PLUGIN,
    WRITE_LAKE,
    Told,
    assert_rows_are_as_expected,
    told_by,
)
from helpers.consumer_projects import consumer, variables

SECOND = variables(expected_build=2)
DBT = version("dbt-core")
HAS_ON_ERROR = [int(part) for part in DBT.split(".")[:2]] >= [1, 12]
FAILED = "int_runs__planned"
COMMANDS = {
    "build": ["build"],
    "a model of theirs": ["run", "--select", "customer_analytics.destinations"],
    "a test of theirs": ["test", "--select", "unique_destinations_airport"],
    "a seed of theirs": ["seed", "--select", "customers"],
}
# after the lake has grown
CONTINUED = {
    "failed build": [FAIL_AT, FAILED, "build"],
    "second build": ["build", *SECOND],
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What each command did."""
    folder = tmp_path_factory.mktemp("consumer")
    consumer(folder / "project", continue_on_error if HAS_ON_ERROR else None)
    steps = [[HIDE_PLUGIN], [WRITE_LAKE, "1"], *COMMANDS.values()]
    if HAS_ON_ERROR:
        steps += [[WRITE_LAKE, "2"], *CONTINUED.values()]
    told = told_by(folder / "my home", steps, project=folder / "project")
    return dict(zip([*COMMANDS, *(CONTINUED if HAS_ON_ERROR else [])], told, strict=True))


def continue_on_error(configuration: dict[str, Any]) -> None:
    """Let dbt build what depends on a failed model, in our package and in the project."""
    configuration["models"]["+on_error"] = "continue"


def test_a_build_ends_in_the_expected_rows(done: dict[str, Told]) -> None:
    assert_rows_are_as_expected(done["build"])


@pytest.mark.skipif(not HAS_ON_ERROR, reason=f"dbt-core {DBT} has no on_error; 1.12 has it")
def test_a_build_that_continues_after_a_failed_model_publishes_nothing(
    done: dict[str, Told],
) -> None:
    told = done["failed build"]
    assert not told.succeeded
    # so the tests of the project find the rows of the first build
    assert list(told.failed()) == [FAILED], told.everything()
    assert told.status["newsletter_recipients"] == "success"
    assert told.status["assert_sync_changelog_is_as_expected"] == "pass"
    assert [one for one in told.said if f"this build has not written {FAILED}. " in one]
    assert_rows_are_as_expected(done["second build"])


def test_a_part_that_is_disabled_is_not_built(done: dict[str, Told]) -> None:
    assert "sync_runs" in done["build"].status
    assert "sync_activity_daily" not in done["build"].status


def test_their_relations_are_built_before_they_are_queried(done: dict[str, Told]) -> None:
    order = list(done["build"].status)
    assert order.index("my_sync_settings") < order.index("stg_sync_logs__sync_settings")
    assert order.index("my_error_rules") < order.index("int_files__planned")


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
