"""`make test`: all tests, in parallel.

The first process runs one build after the other in one Spark, which leaves half of two cores idle.
Beside it run the tests that need no Spark or start their own, and then those of single vendors in a
Spark of their own. Their output comes at the end.
"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from tempfile import TemporaryFile
from typing import IO

PYTEST = [sys.executable, "-m", "pytest", "--durations=10"]
# the first takes longer, so it has priority when both need a core
AFTER_OTHERS = ["nice", "-n", "10"]
FIRST = "shared_spark and not vendors"
BESIDE = ("not shared_spark", "shared_spark and vendors")


def run_beside(selections: Sequence[str], said: IO[str]) -> bool:
    """Run tests, one selection after the other; true if one failed."""
    commands = [[*AFTER_OTHERS, *PYTEST, "-m", selection] for selection in selections]
    codes = [subprocess.run(one, stdout=said, stderr=said).returncode for one in commands]
    return any(codes)


def main() -> int:
    """Returns the exit code: 0 if no test failed."""
    with TemporaryFile("w+") as said, ThreadPoolExecutor(1) as pool:
        beside: Future[bool] = pool.submit(run_beside, BESIDE, said)
        has_failed = subprocess.run([*PYTEST, "-m", FIRST]).returncode != 0
        if not beside.done():
            print("make test: waiting for the tests that run beside ...", flush=True)
        has_failed = beside.result() or has_failed
        said.seek(0)
        shutil.copyfileobj(said, sys.stdout)
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
