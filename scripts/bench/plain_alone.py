"""The same tables as a build's by plain Spark SQL, in a Spark that has just started.

Of a lake with next to no data that is the code which Java meets for the first time, whoever asks
Spark for such tables; no state is looked up and none is kept up to date. Prints the seconds that
the tables take, without the start.
"""

import os
from pathlib import Path

from python_loaders.demo.embedded import session
from scripts.bench import peers


def main() -> None:
    """Build them in the home and of the lake that the environment names."""
    spark = session()
    spark.sql("show databases").collect()
    seconds, _ = peers.build_with_plain_spark(spark, Path(os.environ["SYNC_LOGS_LAKE_PATH"]))
    spark.stop()
    print(sum(seconds.values()))


if __name__ == "__main__":
    main()
