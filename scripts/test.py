"""`make test`: all tests, or those of one job.

The job `builds` runs one build after the other in one Spark, which leaves half of two cores idle.
Beside it run `rest`, the tests that need no Spark or start their own, and then `vendors`, in a
Spark of its own. The output of these two comes at the end. Servers run each job on a machine of
its own: `make test JOB=builds`.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from tempfile import TemporaryFile
from typing import IO

PYTEST = [sys.executable, "-m", "pytest", "--durations=10"]
# the first takes longer, so it has priority when both need a core
AFTER_OTHERS = ["nice", "-n", "10"]
# what pytest selects for each job; together that is every test, once
JOBS: Mapping[str, Sequence[str]] = {
    "builds": ("-m", "shared_spark", "--ignore=tests/vendors"),
    "rest": ("-m", "not shared_spark"),
    "vendors": ("-m", "shared_spark", "tests/vendors"),
}
FIRST, *BESIDE = JOBS


def run_beside(said: IO[str]) -> bool:
    """Run the other jobs, one after the other; true if a test failed."""
    commands = [[*AFTER_OTHERS, *PYTEST, *JOBS[job]] for job in BESIDE]
    codes = [subprocess.run(one, stdout=said, stderr=said).returncode for one in commands]
    return any(codes)


def run_all() -> bool:
    """Run all jobs, two at a time; true if a test failed."""
    with TemporaryFile("w+") as said, ThreadPoolExecutor(1) as pool:
        beside: Future[bool] = pool.submit(run_beside, said)
        has_failed = subprocess.run([*PYTEST, *JOBS[FIRST]]).returncode != 0
        if not beside.done():
            print("make test: waiting for the tests that run beside ...", flush=True)
        has_failed = beside.result() or has_failed
        said.seek(0)
        shutil.copyfileobj(said, sys.stdout)
    return has_failed


def main() -> int:
    """Returns the exit code: 0 if no test failed."""
    parser = argparse.ArgumentParser(prog="make test", description=__doc__)
    parser.add_argument("job", nargs="?", choices=JOBS, help="only the tests of this job")
    job = parser.parse_args().job
    if job is None:
        return int(run_all())
    return subprocess.run([*PYTEST, *JOBS[job]]).returncode


if __name__ == "__main__":
    sys.exit(main())
