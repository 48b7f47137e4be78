"""`make test`: all tests, in two processes side by side.

What the first does, one build after the other in one Spark, leaves half of two cores idle. The
second takes them: it has the tests that need no Spark, or start one of their own. What it says
comes at the end.
"""

import shutil
import subprocess
import sys
from tempfile import TemporaryFile

PYTEST = [sys.executable, "-m", "pytest", "--durations=10"]
# the first takes longer, so it goes first wherever both want a core
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
