"""The start, then only what an idle build is for.

Plain Spark lists the lake, compares the list with the last load and adds a row to its own table.
dbt runs a project with as many models, in the same order and on the same catalog, that do nothing.
So no idle build of this project can be faster.
"""

import sys
from pathlib import Path

from dbt.cli.main import dbtRunner

from dbt_sync_logs.runner import PROJECT, dbt, session
from scripts.bench.noop_project import write_project

LISTED = """
    select
        _metadata.file_path,
        _metadata.file_size,
        _metadata.file_modification_time as file_modified_at
    from sync_logs_lake.{table}
"""
NEWS = f"""
    select count(*) as file_count
    from ({LISTED.format(table="files")} union all {LISTED.format(table="fact_files")}) as listed
    left join sync_logs_state.int_files__landed as known
        on
            known.load_id = (select load_id from sync_logs_state.sync_load_current)
            and listed.file_path = known.file_path
            and listed.file_size = known.file_size
            and listed.file_modified_at = known.file_modified_at
    where known.file_path is null
"""


def main(target: str) -> int:
    """Return the exit code: 1 if there is anything new."""
    spark = session()
    (row,) = spark.sql(NEWS).collect()
    look = spark.sql(f"select current_timestamp() as looked_at, {row.file_count} as file_count")
    look.write.mode("append").parquet(f"{target}/looks")
    parsed = dbt("parse", "--target-path", target)
    project = Path(target) / "nothing"
    write_project(project, parsed.result)
    walked = dbtRunner().invoke(
        [
            *("run", "--log-level", "none", "--project-dir", str(project)),
            *("--profiles-dir", str(PROJECT / "profiles")),
        ]
    )
    return 0 if row.file_count == 0 and walked.success else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
