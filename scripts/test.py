"""`make test`: all tests, or those of one job.

The job `builds` runs one build after the other in one Spark, which leaves half of two cores idle.
Beside it run `rest`, the tests that need no Spark or start their own, and when one of them has
ended, `vendors`, in a Spark of its own. The output of these two comes at the end. Servers run each
job on a machine of its own: `make test JOB=builds`.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
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


def run_job(job: str, said: IO[str] | None) -> bool:
    """Run a job, and write its output there or to this process's; true if a test failed."""
    priority = [] if said is None else AFTER_OTHERS
    command = [*priority, *PYTEST, *JOBS[job]]
    return subprocess.run(command, stdout=said, stderr=said).returncode != 0


def run_all() -> bool:
    """Run all jobs, two at a time; true if a test failed."""
    with ExitStack() as opened, ThreadPoolExecutor(2) as pool:
        said = {job: opened.enter_context(TemporaryFile("w+")) for job in BESIDE}
        first, *others = [pool.submit(run_job, job, said.get(job)) for job in JOBS]
        first.result()
        if not all(job.done() for job in others):
            print("make test: waiting for the tests that run beside ...", flush=True)
        failed = [job.result() for job in (first, *others)]
        for file in said.values():
            file.seek(0)
            shutil.copyfileobj(file, sys.stdout)
    return any(failed)


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
