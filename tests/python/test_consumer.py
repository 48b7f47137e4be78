"""The package in somebody else's project: builds of `integration_tests`, and one that is killed.

What such projects change (tables in place of views, no models of ours, full scans) is in
`tests/long/test_consumer_changes.py`.

In two processes, the one that is killed and the one after it, with a Spark as such projects have.
"""

from pathlib import Path

import pytest

from consumer_process import HIDE_PLUGIN, KILL_AT, WRITE_LAKE, Told, told_by
from consumers import consumer, variables

SECOND = variables(expected_build=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, and its home beside it."""
    folder = tmp_path_factory.mktemp("consumer")
    (folder / "my home").mkdir()
    consumer(folder / "project")
    return folder


@pytest.fixture(scope="module")
def first(folder: Path) -> Told:
    """What a project without our plugin builds first; then a build of what is new is killed."""
    steps = [
        [HIDE_PLUGIN],
        [WRITE_LAKE, "1"],
        ["build"],
        [WRITE_LAKE, "2"],
        [KILL_AT, "sync_load_current", "build", *SECOND],
    ]
    (told,) = told_by(folder / "my home", steps, project=folder / "project")
    return told


@pytest.fixture(scope="module")
def done(first: Told, folder: Path) -> dict[str, Told]:
    """What each command did: the first build, and those of a process after the killed one."""
    found = told_by(folder / "my home", list(AFTER_THE_KILL.values()), project=folder / "project")
    return {"first build": first} | dict(zip(AFTER_THE_KILL, found, strict=True))


# all have the same variables, so dbt need not parse the whole project again
AFTER_THE_KILL = {
    "second build": ["build", *SECOND],
    "doctor": ["run-operation", "sync_logs.sync_logs_doctor", *SECOND],
    "a model of theirs": ["run", *SECOND, "--select", "customer_analytics.destinations"],
    "a test of theirs": ["test", *SECOND, "--select", "unique_destinations_airport"],
    "a seed of theirs": ["seed", *SECOND, "--select", "customers"],
}


@pytest.mark.parametrize("build", ["first build", "second build"])
def test_each_build_ends_in_the_expected_rows(done: dict[str, Told], build: str) -> None:
    told = done[build]
    assert told.succeeded, told.everything()
    assert told.failed() == {}
    # the package does not know "Delivered" in lake/records.csv: the project says what it means
    assert told.status["assert_new_words_are_known"] == "pass"
    passed = {name for name, status in told.status.items() if status == "pass"}
    assert len([name for name in passed if name.endswith("_is_as_expected")]) == 5
    assert {
        "assert_both_destinations_are_whole",
        "assert_failing_customers_get_no_newsletter",
        "assert_members_on_march_3_are_as_expected",
        "assert_plan_changes_are_as_expected",
        "assert_no_new_record_is_lost",
    } <= passed


def test_what_a_killed_build_has_left_is_told(done: dict[str, Told]) -> None:
    """The build after it is right; its load stays for a day, as somebody may be building it."""
    assert "2 live, 1 of killed builds" in said(done["doctor"], "loads ")
    assert "1 loads of killed builds are on disk: `dbt build` drops each when it is a day old" in (
        done["doctor"].everything()
    )


def said(told: Told, start: str) -> str:
    return next(line for line in told.said if line.strip().startswith(start))


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
