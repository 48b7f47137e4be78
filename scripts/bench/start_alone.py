"""Start Spark and its catalog, parse the project, do nothing: the floor of every build."""

import sys

from dbt_sync_logs.runner import dbt, session


def main(target: str) -> int:
    """Return the exit code."""
    session().sql("show databases").collect()
    return 0 if dbt("parse", "--target-path", target).success else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
