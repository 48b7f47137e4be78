"""A copy of the project with faults in it, and the tests that run there."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory

from faults.fault import Fault
from faults.one_spark import ANSWER
from helpers.project import PROJECT

# what the copy shares with the project
SHARED = (".venv", "dbt_packages")
# where a copy's own modules are: the environment has those of the project
MODULES = ("", "python_loaders", "viewer", "tests", "integration_tests")
# models, and whether they read tables of vendors; returns how each of their unit tests ended
Ask = Callable[[Sequence[str], bool], dict[str, str]]


@contextmanager
def copied_project() -> Iterator[Path]:
    """A copy of the files that git has or would add, until the end of the block."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=PROJECT, check=True, capture_output=True).stdout
    with TemporaryDirectory(prefix="faults-") as folder:
        project = Path(folder) / "project"
        for name in filter(None, names.decode().split("\0")):
            # a file that was deleted is still listed
            if (PROJECT / name).is_file():
                (project / name).parent.mkdir(parents=True, exist_ok=True)
                copy2(PROJECT / name, project / name)
        for name in SHARED:
            (project / name).symlink_to(PROJECT / name)
        yield project


@contextmanager
def faulty(project: Path, faults: Sequence[Fault]) -> Iterator[None]:
    """Put faults into a copy, and take them out at the end of the block. Raises FaultError."""
    with ExitStack() as stack:
        for fault in faults:
            file = project / fault.file
            stack.callback(file.write_bytes, file.read_bytes())
            fault.put_into(project)
        yield


def environment(project: Path) -> dict[str, str]:
    """The environment of a process in a copy."""
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(str(project / name) for name in MODULES),
        "DBT_PROFILES_DIR": str(project / "profiles"),
        # a fault can be as long as what it replaces, and come in the same second
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def pytest(project: Path, suite: str) -> "subprocess.CompletedProcess[str]":
    """Run a suite in a copy up to its first failure."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", suite],
        cwd=project,
        env=environment(project),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@contextmanager
def one_spark(project: Path) -> Iterator[Ask]:
    """A function that runs dbt unit tests in a copy; all calls share a Spark."""
    process = subprocess.Popen(
        [sys.executable, "-m", "faults.one_spark"],
        cwd=project,
        env=environment(project),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    said = process.stdout

    def ask(models: Sequence[str], reads_tables: bool) -> dict[str, str]:
        print(json.dumps([list(models), reads_tables]), file=process.stdin, flush=True)
        for line in said:
            if line.startswith(ANSWER):
                return dict(json.loads(line.removeprefix(ANSWER)))
        raise RuntimeError("The process of the unit tests has ended; its error is above.")

    try:
        yield ask
    finally:
        process.stdin.close()
        process.wait()
