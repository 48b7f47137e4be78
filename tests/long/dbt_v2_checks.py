"""Builds of dbt v2 on a Spark Connect server, compared with the specification.

It runs in its own process, because Spark Connect requires that.
"""

import sys
from pathlib import Path

from conftest import Warehouse
from helpers.dbt_v2 import run_v2
from helpers.growing_warehouse import at, times, unlike_the_specification
from helpers.random_histories import Remembered, many_histories
from scripts.dbt_v2 import program

AS_OF = times(2)


def main(folder: Path, project: Path) -> None:
    """Build a growing lake in two steps, and compare all tables after each."""
    built = Warehouse("by_v2", folder / "lake", folder / "target")
    where = {"SYNC_LOGS_SCHEMA": built.schema, "SYNC_LOGS_LAKE_PATH": built.lake_path()}
    histories = many_histories(range(100, 103), AS_OF, orderly=range(600, 602))
    remembered = Remembered(built.lake)
    for step in histories.steps:
        remembered.step(step)
        is_built, said = run_v2(program(), project, "build", "--vars", at(step.as_of), **where)
        assert is_built, said
        assert unlike_the_specification(built, remembered, step.as_of) == {}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
