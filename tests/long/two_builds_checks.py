"""Two builds at once on one server, as from two machines: each has a lock file of its own.

It runs in its own process, because Spark Connect requires that.
"""

import os
import sys
import time
from datetime import datetime
from pathlib import Path

from conftest import Warehouse
from helpers.compared_tables import differing_tables
from helpers.growing_warehouse import at, times
from helpers.killed_builds import start
from helpers.random_histories import Remembered, many_histories
from oracle import COLUMNS

# The second build starts so many seconds after the first, at another moment each time.
DELAYS = (0.0, 3.0, 6.0, 9.0, 12.0)
AS_OF = times(len(DELAYS) + 1)
# either our message or that of the format, whose tables both builds write
REFUSALS = (
    "Another build of two_builds has published",
    "Another build of two_builds has started",
    "[DELTA_CONCURRENT_APPEND",
    "CommitFailedException",
    # both replace a view that each build replaces; Iceberg lets one of them
    "View was updated concurrently",
)


def main(folder: Path) -> None:
    """Grow a lake; build it twice at once, and compare all tables with the specification."""
    os.environ["SYNC_LOGS_TARGET"] = "connect"
    histories = many_histories(range(120, 123), AS_OF, orderly=range(620, 622))
    built = Warehouse("two_builds", folder / "lake", folder / "target")
    remembered = Remembered(built.lake)
    remembered.step(histories.steps[0])
    assert built.dbt("run", variables=at(AS_OF[0])), built.failures()
    refused = 0
    for step, delay in zip(histories.steps[1:], DELAYS, strict=True):
        remembered.step(step)
        outcomes = build_twice(folder, step.as_of, delay)
        succeeded = [code == 0 for code, _ in outcomes]
        refused += succeeded.count(False)
        print(f"{delay} s later: {succeeded}", flush=True)
        if not any(succeeded):
            assert built.dbt("run", variables=at(step.as_of)), built.failures()
        tables = built.tables(COLUMNS)
        assert differing_tables(remembered.tables(step.as_of), tables, COLUMNS) == {}
    assert refused, "no two builds met"


def build_twice(folder: Path, as_of: datetime, delay: float) -> list[tuple[int, str]]:
    """The exit codes and the output of two builds; the second starts later."""
    variables = {
        "SYNC_LOGS_LAKE_PATH": str(folder / "lake"),
        "SYNC_LOGS_SCHEMA": "two_builds",
    }
    builds = []
    for number in range(2):
        own = folder / f"machine{number}"
        builds.append(start(own, "run", "--vars", at(as_of), variables=variables))
        time.sleep(delay if number == 0 else 0)
    outcomes = []
    for build in builds:
        output, _ = build.communicate()
        outcomes.append((build.returncode, output))
    for code, output in outcomes:
        assert code == 0 or any(one in output for one in REFUSALS), output
    return outcomes


if __name__ == "__main__":
    main(Path(sys.argv[1]))
