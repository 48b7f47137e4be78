"""`make test`: all tests, in two parallel processes.

The first process runs one build after the other in one Spark, which leaves half of two cores idle.
The second process uses them for the tests that need no Spark or start their own. Its output comes
at the end.
"""

import shutil
import subprocess
import sys
from tempfile import TemporaryFile

PYTEST = [sys.executable, "-m", "pytest", "--durations=10"]
# the first takes longer, so it has priority when both need a core
AFTER_OTHERS = ["nice", "-n", "10"]


def main() -> int:
    """Returns the exit code: 0 if no test failed."""
    with TemporaryFile("w+") as said:
        command = [*AFTER_OTHERS, *PYTEST, "-m", "not shared_spark"]
        beside = subprocess.Popen(command, stdout=said, stderr=said)
        failed = subprocess.run([*PYTEST, "-m", "shared_spark"]).returncode
        if beside.poll() is None:
            print("make test: waiting for the tests that share no Spark ...", flush=True)
        failed = beside.wait() or failed
        said.seek(0)
        shutil.copyfileobj(said, sys.stdout)
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
