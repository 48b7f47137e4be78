"""The one-line errors of `make setup`, before it installs anything."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from helpers.project import PROJECT
from start.fake_javas import java_of

NEEDED = ("scripts/setup.sh", "dbt_sync_logs/java.py")


def setup(clone: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run the script in a folder with all that it needs until it creates the environment."""
    for name in NEEDED:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, clone / name)
    return subprocess.run(
        ["bash", str(clone / "scripts" / "setup.sh")],
        env=os.environ | settings,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def refused(outcome: "subprocess.CompletedProcess[str]") -> str:
    """The one line that a setup prints before it stops."""
    assert outcome.returncode == 1
    assert outcome.stdout == ""
    assert outcome.stderr.startswith("setup: ")
    assert outcome.stderr.count("\n") == 1, outcome.stderr
    return outcome.stderr


def python_of(folder: Path, *, is_supported: bool = True) -> str:
    """A fake Python: its check of Java passes, but it cannot create an environment."""
    python = folder / "python"
    checks = (
        f'-c) exit {int(not is_supported)};; --version) echo "Python 3.9.1";; *java.py) exit 0;;'
    )
    python.write_text(f'#!/bin/sh\ncase "$1" in {checks} *) echo no ensurepip; exit 1;; esac\n')
    python.chmod(0o755)
    return str(python)


def test_an_incompatible_java(tmp_path: Path) -> None:
    chosen = java_of(tmp_path / "jdk", "25.0.1")
    assert "leads to Java 25" in refused(setup(tmp_path / "my clone", JAVA_HOME=chosen))


def test_a_python_that_is_not_supported(tmp_path: Path) -> None:
    told = refused(setup(tmp_path, PYTHON=python_of(tmp_path, is_supported=False)))
    assert told == (
        "setup: Python 3.9.1 is not supported; install Python 3.10 to 3.13, or set PYTHON.\n"
    )


@pytest.mark.parametrize(
    ("version", "is_refused"),
    [((3, 9), True), ((3, 10), False), ((3, 13), False), ((3, 14), True)],
)
def test_setup_and_the_package_take_the_same_pythons(
    version: tuple[int, int], is_refused: bool
) -> None:
    (check,) = re.findall(r"-c 'import sys; (.*?)'", (PROJECT / NEEDED[0]).read_text())
    with pytest.raises(SystemExit) as ended:
        exec(check.replace("sys.version_info[:2]", repr(version)), {"sys": sys})
    assert bool(ended.value.code) == is_refused
    (limits,) = re.findall(r'requires-python = "(.*)"', (PROJECT / "pyproject.toml").read_text())
    assert (".".join(map(str, version)) not in SpecifierSet(limits)) == is_refused


def test_a_python_without_venv(tmp_path: Path) -> None:
    told = refused(setup(tmp_path, PYTHON=python_of(tmp_path)))
    assert "on Debian and Ubuntu install python3-venv" in told
    # otherwise the next setup would mistake the remains for an environment
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("character", [":", '"', "$", "`", "\\", "\n"])
def test_a_clone_whose_path_no_environment_can_have(tmp_path: Path, character: str) -> None:
    outcome = setup(tmp_path / f"my{character}clone", PYTHON=python_of(tmp_path))
    assert outcome.returncode == 1
    assert "move the clone" in outcome.stderr
    assert not (tmp_path / f"my{character}clone" / ".venv").exists()


def test_dbt_finds_the_plugin_of_the_clone_from_any_folder(tmp_path: Path) -> None:
    """dbt lists what is in the folders that Python searches; a finder of pip is not among them."""
    code = "import pkgutil; print(*[one.name for one in pkgutil.iter_modules()])"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert "dbt_sync_logs" in found.stdout.split()
