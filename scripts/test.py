"""`make test`: all tests, by processes in two rows side by side.

Builds in one Spark, one after the other, leave half of two cores idle. So the second row has the
tests that need no Spark or start one of their own, and then some of those that share one.
What the second row says comes at the end.
"""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest

PROJECT = Path(__file__).resolve().parents[1]
# so many that both rows end at about the same time
SECOND = "tests/python/test_retention.py"
FIRST_ROW = (["-m", "shared_spark", f"--ignore={SECOND}"],)
SECOND_ROW = (["-m", "not shared_spark"], ["-m", "shared_spark", SECOND])


def main() -> int:
    """Returns the exit code: 0 if no test failed."""
    with TemporaryFile("w+") as said, ThreadPoolExecutor() as rows:
        second = rows.submit(run, SECOND_ROW, said)
        failed = run(FIRST_ROW)
        if not second.done():
            print("make test: waiting for the tests beside these ...", flush=True)
        failed |= second.result()
        said.seek(0)
        shutil.copyfileobj(said, sys.stdout)
    return int(failed)


def run(row: tuple[list[str], ...], said: IO[str] | None = None) -> bool:
    """Run the tests of a row, one process after the other; true if any failed."""
    failed = False
    for arguments in row:
        command = [sys.executable, "-m", "pytest", *arguments]
        code = subprocess.run(command, cwd=PROJECT, stdout=said, stderr=said).returncode
        failed |= code != 0
        # somebody has had enough
        if code == pytest.ExitCode.INTERRUPTED:
            break
    return failed


if __name__ == "__main__":
    sys.exit(main())
