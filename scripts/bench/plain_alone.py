"""The tables of a build with plain Spark SQL, in a Spark that has just started.

With almost no data in the lake, this measures the code that Java meets for the first time whenever
Spark builds such tables. No state is looked up or maintained. Prints the seconds that the tables
take, without the start.
"""

import os
from pathlib import Path

from dbt_sync_logs.runner import session
from scripts.bench import peers


def main() -> None:
    """Build them from the lake and in the home that the environment sets."""
    spark = session()
    spark.sql("show databases").collect()
    seconds, _ = peers.build_with_plain_spark(spark, Path(os.environ["SYNC_LOGS_LAKE_PATH"]))
    spark.stop()
    print(sum(seconds.values()))


if __name__ == "__main__":
    main()
