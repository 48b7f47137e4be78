"""`make test-engines`: the engines of docs/engines.md, each in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping

FORMATS = ("delta", "iceberg")
# the client, and the server of the tests
FOR_S3 = ("s3", "s3proxy")
PYTEST = [sys.executable, "-m", "pytest"]
RETENTION = "tests/long/test_retention.py"
# They compare growing lakes, prunes and purges with the specification, whatever the format.
ON_EACH_FORMAT = (
    "tests/long/test_formats.py",
    "tests/long/test_two_builds.py",
    "tests/long/test_idle_builds.py",
    f"{RETENTION}::test_pruned_and_purged_histories_match_the_specification",
)
SERVERS = ("thrift", "spark_connect", "cluster")


def run(command: list[str], variables: Mapping[str, str] | None = None) -> bool:
    """Run a command with more variables; true if it succeeded."""
    print(*(f"{name}={value}" for name, value in (variables or {}).items()), *command, flush=True)
    return subprocess.run(command, env=os.environ | (variables or {}), check=False).returncode == 0


def main() -> int:
    """Returns the exit code: 0 if no test failed."""
    outcomes = []
    for file_format in FORMATS:
        if not run([sys.executable, "-m", "scripts.jars", file_format]):
            return 1
        variables = {"SYNC_LOGS_FILE_FORMAT": file_format, "SYNC_LOGS_CATALOG": "hive"}
        outcomes.append(run([*PYTEST, *ON_EACH_FORMAT], variables))
        few = {"SYNC_LOGS_CRASHES": os.environ.get("SYNC_LOGS_CRASHES", "20")}
        outcomes.append(run([*PYTEST, "tests/long/test_crashes.py"], variables | few))
    if not run([sys.executable, "-m", "scripts.jars", "iceberg-rest"]):
        return 1
    outcomes.append(run([*PYTEST, "tests/long/test_iceberg_rest.py"]))
    if not all(run([sys.executable, "-m", "scripts.jars", name]) for name in FOR_S3):
        return 1
    outcomes.append(run([*PYTEST, "tests/long/test_s3.py"]))
    if not run([sys.executable, "-m", "scripts.jars", "postgresql"]):
        return 1
    outcomes.append(run([*PYTEST, "tests/long/test_postgresql.py"]))
    outcomes.append(run([*PYTEST, "--ansi", "tests/builds/test_hostile_lake.py"]))
    outcomes.append(run([*PYTEST, *(f"tests/long/test_{name}.py" for name in SERVERS)]))
    outcomes.append(run([*PYTEST, "tests/long/test_databricks.py", "tests/long/test_dbt_v2.py"]))
    return int(not all(outcomes))


if __name__ == "__main__":
    sys.exit(main())
