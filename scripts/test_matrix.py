"""`make test-matrix`: growing lakes and tables, and faults, on other Sparks, dbts and Pythons.

Each combination has an environment of its own in `.matrix`, which stays there for the next time. It
has the versions of `requirements.lock`, except for those packages of which the combination needs
other ones. Every Spark, every dbt-core and every Python is in at least one combination, and the
oldest releases meet. What was run is written into the table of `docs/engines.md`.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dbt_sync_logs.runner import PROJECT

FOLDER = PROJECT / ".matrix"
PAGE = PROJECT / "docs" / "engines.md"
TESTS = (
    "tests/start/test_doctor.py",
    "tests/builds/test_tried_queries.py",
    "tests/builds/test_hostile_lake.py",
    "tests/builds/test_histories.py",
    "tests/long/test_sources_histories.py",
)
# only this dbt-core can build on after a failed model
MORE_TESTS: Mapping[str, tuple[str, ...]] = {"1.12": ("tests/builds/test_consumer.py",)}
# dbt v2 is a program of its own, which these tests install; `make setup` made their environment
V2, TESTS_OF_V2 = "dbt-v2", ("tests/start/test_dbt_v2.py", "tests/long/test_dbt_v2.py")
# what the tests import, in the versions of the lock
NEEDED = (
    *("dbt-core", "dbt-spark", "pyspark", "pandas", "pyarrow", "PyYAML", "pytest", "setuptools"),
    # for error_clusters
    "scikit-learn",
)
# Packages that differ from the lock. PySpark 3.5 needs NumPy 1, and newer releases of pyarrow do
# not run with it.
SPARKS: Mapping[str, Mapping[str, str]] = {
    "3.5": {"pyspark": "==3.5.9", "py4j": "", "numpy": "<2", "pyarrow": "<26"},
    "4.0": {"pyspark": "==4.0.5", "py4j": ""},
    "4.1": {},
    "4.2": {"pyspark": "==4.2.1"},
    "4.3": {"pyspark": "==4.3.0"},
}
DBTS: Mapping[str, Mapping[str, str]] = {
    "1.10": {"dbt-core": "==1.10.23", "dbt-spark": "==1.10.3", "sqlparse": "", "thrift": ""},
    "1.11": {},
    "1.12": {
        **{"dbt-core": "==1.12.6", "metricflow": "==0.213.0", "python-dotenv": "==1.2.4"},
        **{"rapidfuzz": "==3.14.6", "sqlglot": "==30.30.0", "tabulate": "==0.10.0"},
        "dbt-semantic-interfaces": "",
    },
}
# It also asks for `dbt-core-experimental-parser`, whose build downloads it from outside the package
# index, and runs without it. So pip installs what is listed, and nothing else.
LISTED_ONLY = ("1.12",)


@dataclass(frozen=True)
class Combination:
    """Releases that are tested together."""

    spark: str
    dbt: str
    python: str

    @property
    def name(self) -> str:
        """Its name, also that of the folder of its environment."""
        return f"spark{self.spark}-dbt{self.dbt}-python{self.python}"

    @property
    def others(self) -> dict[str, str]:
        """Packages that differ from the lock, with their versions; empty: whatever fits."""
        return {**SPARKS[self.spark], **DBTS[self.dbt]}


# `make test` runs on Spark 4.1, dbt-core 1.11 and Python 3.11.
COMBINATIONS = (
    Combination("3.5", "1.10", "3.10"),
    Combination("3.5", "1.11", "3.11"),
    Combination("4.0", "1.11", "3.12"),
    Combination("4.1", "1.10", "3.10"),
    Combination("4.1", "1.11", "3.13"),
    Combination("4.1", "1.12", "3.11"),
    Combination("4.2", "1.11", "3.11"),
    Combination("4.3", "1.11", "3.11"),
)


class MatrixError(Exception):
    """A combination cannot be tested; the message says why and what to do."""


@dataclass(frozen=True)
class Outcome:
    """How a combination ended."""

    combination: Combination
    has_passed: bool
    versions: str
    said: str
    seconds: float


def main() -> int:
    """Returns the exit code: 0 if each combination has passed."""
    parser = argparse.ArgumentParser(prog="make test-matrix", description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="a part of the names: spark3.5")
    only = parser.parse_args().only
    chosen = [one for one in COMBINATIONS if only in one.name]
    with_v2 = only in V2
    if not chosen and not with_v2:
        names = ", ".join([*(one.name for one in COMBINATIONS), V2])
        print(f"test-matrix: no combination has {only} in its name: {names}", file=sys.stderr)
        return 1
    outcomes = [outcome_of(one) for one in chosen]
    print("\ntest-matrix: what was run", *map(line_of, outcomes), sep="\n")
    before = PAGE.read_text()
    after = with_rows(before, outcomes, date.today())
    if after != before:
        PAGE.write_text(after)
    passed = [one.has_passed for one in outcomes]
    if with_v2:
        has_passed, said = tested(Path(sys.executable), *TESTS_OF_V2)
        print(f"test-matrix: {V2}: {said}")
        passed.append(has_passed)
    return int(not all(passed))


def line_of(outcome: Outcome) -> str:
    """A line of the list at the end."""
    end = "passed" if outcome.has_passed else "FAILED"
    what = outcome.versions or outcome.combination.name
    return f"  {what:<65}  {end}  {outcome.seconds / 60:4.1f} min  {outcome.said}"


def with_rows(page: str, outcomes: Iterable[Outcome], today: date) -> str:
    """The page with the rows of combinations that were run; other rows stay."""
    for outcome in outcomes:
        if not outcome.versions:
            # nothing was run
            continue
        spark, dbt, _, python = re.findall(r"[\d.]+", outcome.versions)
        releases = f"| {spark} | {dbt} | {'.'.join(python.split('.')[:2])} |"
        passed = "all" if outcome.has_passed else "not all"
        lines = rf"^\| {re.escape(outcome.combination.spark)}\.\d+ \| "
        lines += rf"{re.escape(outcome.combination.dbt)}\.\d+ \| "
        lines += rf"{re.escape(outcome.combination.python)} \|.*$"
        page, found = re.subn(lines, f"{releases} {passed}, {today} |", page, flags=re.M)
        if found != 1:
            raise MatrixError(f"{PAGE} has {found} rows of {outcome.combination.name} instead of 1")
    return page


def outcome_of(combination: Combination) -> Outcome:
    """Make the environment of a combination and run the tests in it."""
    print(f"\ntest-matrix: {combination.name}", flush=True)
    started, versions = time.monotonic(), ""
    try:
        python = environment(combination)
        versions = versions_in(python)
        has_passed, said = tested(python, *TESTS, *MORE_TESTS.get(combination.dbt, ()))
    except MatrixError as error:
        print(f"test-matrix: {error}", file=sys.stderr, flush=True)
        has_passed, said = False, str(error)
    return Outcome(combination, has_passed, versions, said, time.monotonic() - started)


def environment(combination: Combination) -> Path:
    """The Python of the environment of a combination, made or completed if needed.

    Raises MatrixError.
    """
    folder = FOLDER / combination.name
    python, ready = folder / "bin" / "python", folder / "ready.txt"
    wanted = "\n".join([*requirements(combination.others), *locked(combination.others)])
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        command = [interpreter(combination.python), "-m", "venv", str(folder)]
        if subprocess.run(command).returncode:
            raise MatrixError(f"the environment {folder} could not be created")
        constraints = folder / "constraints.txt"
        constraints.write_text("\n".join(locked(combination.others)))
        if combination.dbt in LISTED_ONLY:
            pip(python, "--no-deps", "--requirement", str(constraints), *pinned(combination.others))
        else:
            pip(python, "--constraint", str(constraints), *requirements(combination.others))
        ready.write_text(wanted)
    pip(python, "--no-deps", "--no-build-isolation", "--force-reinstall", str(PROJECT))
    return python


def pip(python: Path, *arguments: str) -> None:
    """Install packages. Raises MatrixError."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    if subprocess.run([*command, *arguments]).returncode:
        raise MatrixError("the packages could not be installed; see the lines of pip above")


def requirements(others: Mapping[str, str]) -> list[str]:
    """What pip installs; everything else follows from it."""
    extras = {"dbt-spark": "[session,PyHive]", "pyspark": "[connect]"}
    return [f"{name}{extras.get(name, '')}{others.get(name, '')}" for name in NEEDED] + [
        one for one in pinned(others) if re.split("[<=]", one)[0] not in NEEDED
    ]


def pinned(others: Mapping[str, str]) -> list[str]:
    """Packages that differ from the lock and have a version."""
    return [f"{name}{version}" for name, version in others.items() if version]


def locked(others: Iterable[str]) -> list[str]:
    """Lines of the lock, without those of other packages."""
    lines = (PROJECT / "requirements.lock").read_text().splitlines()
    return [line for line in lines if line.partition("==")[0] not in others]


def interpreter(version: str) -> str:
    """The command of a Python. Raises MatrixError if none on the PATH is of that version."""
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    for folder in os.get_exec_path():
        command = shutil.which(f"python{version}", path=folder)
        # a version manager can have a command that refuses to run
        if (
            command
            and subprocess.run(
                [command, "-c", asked], capture_output=True, text=True
            ).stdout.strip()
            == version
        ):
            return command
    raise MatrixError(
        f"python{version} was not found on the PATH, or does not run. Install Python {version}; "
        "with pyenv, name it in PYENV_VERSION too"
    )


def versions_in(python: Path) -> str:
    """The releases in an environment, as they report themselves."""
    asked = (
        "import platform; from importlib.metadata import version as v; "
        "print('Spark', v('pyspark') + ', dbt-core', v('dbt-core') + ', dbt-spark', "
        "v('dbt-spark') + ', Python', platform.python_version())"
    )
    done = subprocess.run([str(python), "-c", asked], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def tested(python: Path, *tests: str) -> tuple[bool, str]:
    """Whether tests passed in an environment, and the last line of pytest."""
    # an in-memory catalog of Spark 3.5 cannot hold dbt's seeds
    variables = {"SYNC_LOGS_CATALOG": "hive"}
    process = subprocess.Popen(
        [str(python), "-m", "pytest", "-p", "no:cacheprovider", *tests],
        cwd=PROJECT,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    last = "no output"
    for line in process.stdout:
        print(line, end="", flush=True)
        last = line.strip() or last
    return process.wait() == 0, re.sub("^=+ | =+$", "", last)


if __name__ == "__main__":
    sys.exit(main())
