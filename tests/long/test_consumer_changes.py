"""The package in projects that change it: tables instead of views, no models, full scans."""

import csv
from pathlib import Path
from typing import Any

import duckdb
import pytest

from helpers.consumer_builds import SET, WRITE_LAKE, Told, told_by
from helpers.consumer_projects import CONSUMER, consumer, variables

SECOND = variables(expected_build=2)
FULL_SCANS = [
    *("test", *SECOND, "--select", "tag:full_scan,test_type:singular"),
    "tag:full_scan,sync_logs.marts.facts",
]
AMONG_OURS = variables(sync_logs_settings_relation="Analytics_Sync_Logs.my_settings")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, a copy with tables instead of views, one without our models, and their home."""
    folder = tmp_path_factory.mktemp("consumer")
    consumer(folder / "project")
    consumer(folder / "with_tables", make_tables)
    without_models(folder / "without_models")
    return folder


@pytest.fixture(scope="module")
def done(folder: Path) -> dict[str, Told]:
    """What each command did, by name; set-up commands have no name."""
    steps: list[tuple[str, list[str]]] = [
        ("", [WRITE_LAKE, "1"]),
        ("first build", ["build"]),
        ("", [WRITE_LAKE, "2"]),
        # until now the documented tables were views
        ("second build", [str(folder / "with_tables"), "build", *SECOND]),
        ("", [SET, "CUSTOMER_FULL_SCAN", "yes"]),
        ("full scans", FULL_SCANS),
        ("", [SET, "CUSTOMER_FULL_SCAN", "no"]),
        (
            "results of the first build",
            ["test", "--select", "assert_sync_changelog_is_as_expected"],
        ),
        ("settings among our tables", ["build", *AMONG_OURS]),
        ("without models", [str(folder / "without_models"), "build"]),
    ]
    found = told_by(folder / "my home", [step for _, step in steps], project=folder / "project")
    return dict(zip([name for name, _ in steps if name], found, strict=True))


def without_models(project: Path) -> None:
    """Create a project that has the package with all of its models disabled."""
    consumer(project, disable_models)
    for models in ("models", "tests"):
        for file in (project / models).glob("*"):
            if file.name != "destinations.sql":
                file.unlink()


def make_tables(configuration: dict[str, Any]) -> None:
    """Materialize our documented views as tables."""
    configuration["models"]["sync_logs"]["marts"]["+materialized"] = "table"


def disable_models(configuration: dict[str, Any]) -> None:
    configuration["models"]["sync_logs"] = {"+enabled": False}
    for name in ("sync_logs_settings_relation", "sync_logs_error_rules_relation"):
        del configuration["vars"]["sync_logs"][name]


def test_tables_instead_of_views_are_files_that_other_engines_read(
    done: dict[str, Told], folder: Path
) -> None:
    """DuckDB finds in them exactly what this build published."""
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


def test_the_comparison_finds_what_differs(done: dict[str, Told]) -> None:
    failed = done["results of the first build"].failed()
    assert list(failed) == ["assert_sync_changelog_is_as_expected"]
    # the rows of the one run that arrived later
    assert "Got 3 results" in failed["assert_sync_changelog_is_as_expected"]


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
