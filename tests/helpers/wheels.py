"""The wheel of the project, and environments in which only it is installed."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from helpers.project import PROJECT

ROOTS = ("dbt_sync_logs", "python_loaders", "viewer")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def pip(*arguments: str) -> None:
    """Run a command of pip."""
    subprocess.run([*PIP, *arguments], check=True)


def built_wheel(folder: Path) -> Path:
    """A wheel, built from a copy, because setuptools leaves folders in the sources."""
    sources = folder / "sources"
    # scripts and tests are beside the packages, as in a clone, and must not be shipped
    for name in (*ROOTS, "scripts", "tests"):
        shutil.copytree(
            PROJECT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY_NOTICES.md"):
        shutil.copy(PROJECT / name, sources)
    built = folder / "built"
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(built), str(sources))
    (found,) = built.glob("*.whl")
    return found


def told(
    command: Sequence[str], folder: Path, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """What a command says in a folder, without the variables of this process."""
    own = {"PATH": "/usr/bin:/bin", "HOME": str(folder), **variables}
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
