"""The distribution that others install: it has every file of our packages, and nothing else."""

import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from dbt_sync_logs.command_line import COMMANDS, OUR_PACKAGES
from helpers.project import PROJECT

ROOTS = ("dbt_sync_logs", "python_loaders", "viewer")
# for people and tools that read the sources
NOT_SHIPPED = ("README.md", ".sqlfluff")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from a copy, because setuptools leaves folders in the sources."""
    sources = tmp_path_factory.mktemp("sources")
    for name in (*ROOTS, "scripts", "tests"):
        shutil.copytree(
            PROJECT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, sources)
    built = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(built), str(sources))
    (found,) = built.glob("*.whl")
    return found


def pip(*arguments: str) -> None:
    subprocess.run([*PIP, *arguments], check=True)


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
    shipped = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert shipped == ours
    assert {name.partition("/")[0] for name in shipped} == set(OUR_PACKAGES)


def test_the_command_runs_where_only_the_wheel_is(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "theirs", with_pip=False)
    programs = tmp_path / "theirs" / "bin"
    pip("--python", str(programs / "python"), "install", "--no-deps", "--no-index", str(wheel))
    listed = told([str(programs / "sync-logs"), "--help"], tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert set(COMMANDS) <= set(listed.stdout.split())
    # names that others may have for modules of their own
    for name in ("python_loaders", "viewer", "scripts", "tests"):
        imported = told([str(programs / "python"), "-c", f"import {name}"], tmp_path)
        assert f"No module named '{name}'" in imported.stderr


def told(command: Sequence[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, cwd=folder, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True
    )
