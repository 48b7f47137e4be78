"""`make check`: checks that take minutes, for use while you work on a change.

It checks style and types, the oracle, and what models and macros declare. It runs the dbt unit
tests of the models that the change touches: through their own files, or through a macro that they
call. The change is the difference from a commit (`--since`, by default the last one), including
untracked files.
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping
from time import monotonic
from typing import Any

from dbt.cli.main import dbtRunner

from dbt_sync_logs.runner import PROJECT

TESTS = PROJECT / "tests"
WITHOUT_SPARK = (
    TESTS / "specification",
    *(TESTS / "documents" / f"test_{name}.py" for name in ("state_tables", "rooms", "macros")),
)
UNIT_TESTS = TESTS / "builds" / "test_dbt_unit_tests.py"


def main() -> int:
    """Returns the exit code: 0 if nothing failed."""
    parser = argparse.ArgumentParser(prog="make check", description=__doc__)
    parser.add_argument("--since", default="HEAD", help="commit to compare the change with")
    since = parser.parse_args().since
    begun = monotonic()
    style = subprocess.Popen(["make", "--no-print-directory", "lint"], cwd=PROJECT)
    parsed = dbtRunner().invoke(["parse", "--quiet"])
    failed = not parsed.success
    if parsed.success:
        models = touched_models(parsed.result, changed_files(since))
        print(f"make check: unit tests of {', '.join(models) or 'no model'}", flush=True)
        failed = tests_fail(models)
    failed = style.wait() != 0 or failed
    print(f"make check: {'failed' if failed else 'passed'} after {monotonic() - begun:.0f} s")
    return int(failed)


def tests_fail(models: list[str]) -> bool:
    """Run the tests that need no Spark, and the unit tests of some models."""
    command = [sys.executable, "-m", "pytest", "--quiet", *map(str, WITHOUT_SPARK)]
    if models:
        command += [str(UNIT_TESTS), f"--unit-tests-of={' '.join(models)}"]
    return subprocess.run(command, cwd=PROJECT).returncode != 0


def changed_files(since: str) -> set[str]:
    """Paths in the project that differ from a commit or are untracked."""
    commands = (
        ["git", "diff", "--name-only", "--relative", since],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    said = [
        subprocess.run(one, cwd=PROJECT, check=True, capture_output=True, text=True).stdout
        for one in commands
    ]
    return set("".join(said).splitlines())


def touched_models(manifest: Any, files: set[str]) -> list[str]:
    """Names of models with unit tests if a change touches the model or one of its unit tests."""
    macros = {name for name, one in manifest.macros.items() if one.original_file_path in files}
    touched = {
        node.name
        for node in manifest.nodes.values()
        if node.resource_type == "model"
        and (
            node.original_file_path in files
            or str(node.patch_path).partition("://")[2] in files
            or macros & called(node, manifest.macros)
        )
    }
    tests = manifest.unit_tests.values()
    return sorted(
        {one.model for one in tests if one.model in touched or one.original_file_path in files}
    )


def called(node: Any, macros: Mapping[str, Any]) -> set[str]:
    """The macros that a node calls, directly or through another macro."""
    found: set[str] = set()
    waiting = list(node.depends_on.macros)
    while waiting:
        name = waiting.pop()
        if name not in found and name in macros:
            found.add(name)
            waiting += macros[name].depends_on.macros
    return found


if __name__ == "__main__":
    sys.exit(main())
