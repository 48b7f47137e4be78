"""The package in somebody else's project: builds of `integration_tests`, and one that is killed.

In two processes, the one that is killed and the one after it, with a Spark as such projects have.
"""

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from consumer_process import HIDE_PLUGIN, KILL_AT, SET, WRITE_LAKE, Told, told_by
from consumers import CONSUMER, consumer


def variables(**given: object) -> list[str]:
    return ["--vars", json.dumps(given)]


SECOND = variables(expected_build=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, it with tables in place of views, one without our models; their home."""
    folder = tmp_path_factory.mktemp("consumer")
    (folder / "my home").mkdir()
    consumer(folder / "project")
    consumer(folder / "with_tables", make_tables)
    without_models(folder / "without_models")
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
    commands = after_the_kill(folder)
    before = {
        "full scans": [[SET, "CUSTOMER_FULL_SCAN", "yes"]],
        "results of the first build": [[SET, "CUSTOMER_FULL_SCAN", "no"]],
    }
    steps = [
        step for name, command in commands.items() for step in (*before.get(name, ()), command)
    ]
    found = told_by(folder / "my home", steps, project=folder / "project")
    return {"first build": first} | dict(zip(commands, found, strict=True))


def after_the_kill(folder: Path) -> dict[str, list[str]]:
    among_ours = {"sync_logs_settings_relation": "Analytics_Sync_Logs.my_settings"}
    return {
        # the documented tables were views up to now
        "second build": [str(folder / "with_tables"), "build", *SECOND],
        # all with the same variables, so that dbt need not parse everything anew
        "doctor": ["run-operation", "sync_logs.sync_logs_doctor", *SECOND],
        "a model of theirs": ["run", *SECOND, "--select", "customer_analytics.destinations"],
        "a test of theirs": ["test", *SECOND, "--select", "unique_destinations_airport"],
        "a seed of theirs": ["seed", *SECOND, "--select", "customers"],
        "full scans": [
            *("test", *SECOND, "--select", "tag:full_scan,test_type:singular"),
            "tag:full_scan,sync_logs.marts.facts",
        ],
        "results of the first build": ["test", "--select", "assert_sync_changelog_is_as_expected"],
        "settings among our tables": ["build", *variables(**among_ours)],
        "without models": [str(folder / "without_models"), "build"],
    }


def without_models(project: Path) -> None:
    """Make a project that has the package, and all of its models disabled."""
    consumer(project, disable_models)
    for models in ("models", "tests"):
        for file in (project / models).glob("*"):
            if file.name != "destinations.sql":
                file.unlink()


def make_tables(configuration: dict[str, Any]) -> None:
    """Make tables of our documented views."""
    configuration["models"]["sync_logs"]["marts"]["+materialized"] = "table"


def disable_models(configuration: dict[str, Any]) -> None:
    configuration["models"]["sync_logs"] = {"+enabled": False}
    for name in ("sync_logs_settings_relation", "sync_logs_error_rules_relation"):
        del configuration["vars"]["sync_logs"][name]


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


def test_tables_in_place_of_views_are_files_that_others_read(
    done: dict[str, Told], folder: Path
) -> None:
    """DuckDB finds in them what this very build has published."""
    assert done["second build"].succeeded
    files = folder / "my home" / "tables" / "analytics_sync_logs.db"
    with (CONSUMER / "seeds" / "expected" / "expected__sync_runs.csv").open() as opened:
        expected = [row for row in csv.DictReader(opened) if row["build"] == "2"]
    with duckdb.connect() as other:
        found = other.execute(
            f"select sync_id, sync_run_id, num_succeeded_add from '{files}/sync_runs/*.parquet'"
        ).fetchall()
        counted = other.execute(f"select count(*) from '{files}/sync_records/*.parquet'")
        # every row of lake/records.csv
        assert counted.fetchone() == (18,)
    assert sorted((*one[:2], str(one[2])) for one in found) == sorted(
        (row["sync_id"], row["sync_run_id"], row["num_succeeded_add"]) for row in expected
    )


def test_what_a_killed_build_has_left_is_told(done: dict[str, Told]) -> None:
    """The build after it is right; its load stays for a day, as somebody may be building it."""
    assert "2 live, 1 of killed builds" in said(done["doctor"], "loads ")
    assert "1 loads of killed builds are on disk: `dbt build` drops each when it is a day old" in (
        done["doctor"].everything()
    )


def said(told: Told, start: str) -> str:
    return next(line for line in told.said if line.strip().startswith(start))


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


def test_a_project_without_our_models_runs_none_of_our_queries(done: dict[str, Told]) -> None:
    told = done["without models"]
    assert told.succeeded, told.everything()
    of_lake = [query for query in told.queries if "sync_logs_lake" in query]
    assert of_lake == []
