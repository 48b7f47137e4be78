"""A killed build of a consumer's project, and the next build, in another process."""

from pathlib import Path

import pytest

from helpers.consumer_builds import (
    HIDE_PLUGIN,
    KILL_AT,
    WRITE_LAKE,
    Told,
    assert_rows_are_as_expected,
    told_by,
)
from helpers.consumer_projects import consumer, variables

SECOND = variables(expected_build=2)
AFTER_THE_KILL = {
    "second build": ["build", *SECOND],
    "doctor": ["run-operation", "sync_logs.sync_logs_doctor", *SECOND],
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What each command did; the build before the second one was killed at its commit."""
    folder: Path = tmp_path_factory.mktemp("consumer")
    consumer(folder / "project")
    steps = [
        [HIDE_PLUGIN],
        [WRITE_LAKE, "1"],
        ["build"],
        [WRITE_LAKE, "2"],
        [KILL_AT, "sync_load_current", "build", *SECOND],
    ]
    first = told_by(folder / "my home", steps, project=folder / "project")
    later = list(AFTER_THE_KILL.values())
    found = [*first, *told_by(folder / "my home", later, project=folder / "project")]
    return dict(zip(["first build", *AFTER_THE_KILL], found, strict=True))


@pytest.mark.parametrize("build", ["first build", "second build"])
def test_each_build_ends_in_the_expected_rows(done: dict[str, Told], build: str) -> None:
    assert_rows_are_as_expected(done[build])


def test_the_remains_of_a_killed_build_are_reported(done: dict[str, Told]) -> None:
    """The next build is right. The load stays for a day, because a build could still write it."""
    assert "2 live, 1 of killed builds" in said(done["doctor"], "loads ")
    assert "1 loads of killed builds are on disk: `dbt build` drops each when it is a day old" in (
        done["doctor"].everything()
    )


def said(told: Told, start: str) -> str:
    return next(line for line in told.said if line.strip().startswith(start))
