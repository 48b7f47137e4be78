"""The wheel with its locked dependencies in empty environments, on each Python. Downloads them.

Without extras, each command shows its help or names the extra that it needs; with them, each shows
its help. What pip installs is what THIRD_PARTY_NOTICES.md lists.
"""

import json
import subprocess
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from dbt_sync_logs.command_line import COMMANDS
from helpers.project import PROJECT
from helpers.wheels import built_wheel, told
from scripts import notices
from scripts.test_matrix import MatrixError, interpreter

LOCK = PROJECT / "requirements.lock"
# what comes with an environment
OF_PYTHON = {"pip", "setuptools", "dbt-sync-logs"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_each_command_runs_in_an_empty_environment(
    version: str, wheel: Path, tmp_path: Path
) -> None:
    try:
        python = interpreter(version)
    except MatrixError as error:
        pytest.skip(str(error))
    theirs = tmp_path / "theirs"
    subprocess.run([python, "-m", "venv", str(theirs)], check=True)
    install(theirs, str(wheel))
    said = {name: helped(theirs, name) for name in COMMANDS}
    assert said == {
        name: f"usage: sync-logs {name}"
        if command.extra is None
        else f"sync-logs: {name} needs starlette, which is not installed. Install dbt-sync-logs "
        f'with its extra `{command.extra}`: pip install "<clone>'
        for name, command in COMMANDS.items()
    }

    install(theirs, f"{wheel}[{','.join(notices.EXTRAS)}]")
    said = {name: helped(theirs, name) for name in COMMANDS}
    assert said == {name: f"usage: sync-logs {name}" for name in COMMANDS}
    assert_installed_is_listed(theirs, is_oldest=version == "3.10")


def install(theirs: Path, what: str) -> None:
    pip = [str(theirs / "bin" / "python"), "-m", "pip", "--quiet"]
    # pip keeps the wheel of PySpark that it builds, for the next Python too
    options = ["--use-pep517", "--constraint", str(LOCK)]
    subprocess.run([*pip, "install", *options, what], check=True)
    subprocess.run([*pip, "check"], check=True)


def helped(theirs: Path, name: str) -> str:
    """The first words of the help of a command, or of what it says instead."""
    shown = told([str(theirs / "bin" / "sync-logs"), name, "--help"], theirs)
    return (shown.stdout or shown.stderr).split("[")[0].strip()


def assert_installed_is_listed(theirs: Path, is_oldest: bool) -> None:
    listed = told([str(theirs / "bin" / "python"), "-m", "pip", "list", "--format=json"], theirs)
    installed = {
        str(canonicalize_name(one["name"])): one["version"] for one in json.loads(listed.stdout)
    }
    expected = notices.needed().keys() - (set() if is_oldest else set(notices.OF_OLDER_PYTHONS))
    assert installed.keys() - OF_PYTHON == expected
    locked = notices.versions_in(LOCK.read_text())
    mark = " (Python 3.10)"
    for name in expected:
        versions = locked[name].split(", ")
        of_this = versions[-1].removesuffix(mark) if is_oldest else versions[0]
        assert installed[name] == of_this, name
