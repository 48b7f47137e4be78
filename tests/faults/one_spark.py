"""A process that runs dbt unit tests again and again in one Spark, as the runner asks for them.

Each line of the input has the names of models, and whether they read tables of vendors. Each line
of the output that begins with `ANSWER` says how their unit tests ended. The project is parsed again
each time, because it has other faults.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import conftest
from conftest import SCHEMA, Warehouse
from helpers.project import FEW_TASKS
from helpers.unit_tests import (
    INTERPRETED,
    WITH_TABLES,
    make_files,
    make_tables,
    outcomes,
    settings,
)

ANSWER = "unit tests: "


def main() -> None:
    """Answer until the input ends."""
    with TemporaryDirectory() as folder:
        os.environ.update(
            FEW_TASKS
            | {
                "SYNC_LOGS_HOME": folder,
                "SYNC_LOGS_CATALOG": "in-memory",
                # what dbt keeps of a parse has the faults of that parse
                "DBT_PARTIAL_PARSE": "false",
            }
        )
        made: dict[bool, Warehouse] = {}
        for line in sys.stdin:
            models, reads_tables = json.loads(line)
            if reads_tables not in made:
                made[reads_tables] = warehouse(Path(folder), reads_tables)
            ended = run(made[reads_tables], models, WITH_TABLES if reads_tables else "{}")
            print(f"{ANSWER}{json.dumps(ended)}", flush=True)


def warehouse(folder: Path, reads_tables: bool) -> Warehouse:
    """A warehouse in which unit tests can run; its tables are made of the project as it is now."""
    name = "of_tables" if reads_tables else SCHEMA
    built = Warehouse(name, folder / f"{name}_lake", folder / f"{name}_target")
    if reads_tables:
        make_tables(built)
    else:
        make_files(built)
    return built


def run(built: Warehouse, models: Sequence[str], variables: str) -> dict[str, str]:
    """How the unit tests of some models end."""
    conftest._parsed.clear()
    tests = [f"{model},test_type:unit" for model in models]
    with settings(INTERPRETED):
        built.dbt("test", "--select", *tests, variables=variables)
    ended = outcomes(built)
    if not ended or "error" in ended.values():
        print(built.failures(), file=sys.stderr, flush=True)
    return ended


if __name__ == "__main__":
    main()
