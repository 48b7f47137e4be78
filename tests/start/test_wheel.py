"""The distribution that others install: it has every file of our packages, and nothing else.

`tests/long/test_installed_wheel.py` installs it with its dependencies, on each Python.
"""

import subprocess
import sysconfig
import venv
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from dbt_sync_logs.command_line import COMMANDS, OUR_PACKAGES
from helpers.project import PROJECT
from helpers.wheels import ROOTS, built_wheel, pip, told

# for people and tools that read the sources
NOT_SHIPPED = ("README.md", ".sqlfluff")
# in a process where our packages come from the wheel, and all others from this environment
USE_ALL = """
import contextlib, importlib, io, pkgutil, sys
from dbt_sync_logs.command_line import COMMANDS, OUR_PACKAGES, main

for package in map(importlib.import_module, OUR_PACKAGES):
    assert package.__file__.startswith(sys.prefix), package.__file__
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
for name in COMMANDS:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        main([name, "--help"])
    print(said.getvalue().split(" [")[0])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel, and nothing that it needs."""
    theirs = tmp_path_factory.mktemp("theirs")
    venv.create(theirs, with_pip=False)
    python = str(theirs / "bin" / "python")
    pip("--python", python, "install", "--no-deps", "--no-index", str(wheel))
    return theirs / "bin"


def test_each_file_of_our_packages_is_shipped(wheel: Path) -> None:
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *ROOTS]
    names = subprocess.run(listing, cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    files = [PurePosixPath(name) for name in filter(None, names.split("\0"))]
    ours = {
        str(file if file.parts[0] in OUR_PACKAGES else file.relative_to(file.parts[0]))
        for file in files
        # a file that was deleted is still listed
        if (PROJECT / file).is_file()
        and file.name not in NOT_SHIPPED
        and not file.is_relative_to("python_loaders/tests")
    }
    names_in_wheel = ZipFile(wheel).namelist()
    shipped = {name for name in names_in_wheel if ".dist-info/" not in name}
    assert shipped == ours
    assert {name.partition("/")[0] for name in shipped} == set(OUR_PACKAGES)
    licences = {name.rpartition("/")[2] for name in names_in_wheel if "/licenses/" in name}
    assert licences == {"LICENSE", "THIRD_PARTY_NOTICES.md"}


def test_the_command_runs_where_only_the_wheel_is(programs: Path, tmp_path: Path) -> None:
    listed = told([str(programs / "sync-logs"), "--help"], tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert set(COMMANDS) <= set(listed.stdout.split())
    # names that others may have for modules of their own
    for name in ("python_loaders", "viewer", "scripts", "tests"):
        imported = told([str(programs / "python"), "-c", f"import {name}"], tmp_path)
        assert f"No module named '{name}'" in imported.stderr


def test_all_of_the_wheel_runs_with_the_locked_dependencies(programs: Path, tmp_path: Path) -> None:
    # the folder has the dependencies; Python reads the links to the clone in it only at its start
    dependencies = sysconfig.get_path("purelib")
    used = told([str(programs / "python"), "-c", USE_ALL], tmp_path, PYTHONPATH=dependencies)
    assert used.returncode == 0, used.stderr
    assert used.stdout.splitlines() == [f"usage: sync-logs {name}" for name in COMMANDS]


def test_a_folder_without_a_project_is_told_in_one_line(programs: Path, tmp_path: Path) -> None:
    dependencies = sysconfig.get_path("purelib")
    # dbt looks for profiles in ~/.dbt, which a new user does not have
    asked = told([str(programs / "sync-logs"), "syncs"], tmp_path, PYTHONPATH=dependencies)
    assert asked.returncode == 1
    assert asked.stderr.splitlines() == [
        f"sync-logs: Invalid value for '--profiles-dir': Path '{tmp_path / '.dbt'}' does not exist."
    ]
