"""A state table that a copy of the project adds with one model and its YAML, and nothing else.

Its declarations determine what operations and collections do to it (`state_tables.sql`).
"""

from pathlib import Path

from pyspark.sql import SparkSession

NAME = "int_added__built"
COLUMNS = ("organization_id", "sync_id", "sync_run_id", "identifier", "op_type")
SQL = f"""with

changelog as (
    select * from {{{{ sync_logs.of_load(ref('int_changelog__built')) }}}}
)

select {", ".join(COLUMNS)} from changelog
"""
DECLARED = f"""version: 2

models:
  - name: {NAME}
    config:
      meta:
        state:
          rows_of: run
          joined_by: [organization_id, sync_id, sync_run_id]
          after_prune: dropped
          after_purge: dropped
    columns:
      - {{name: load_id, data_type: string}}
"""


def add_table(project: Path) -> None:
    """Add the model to a copy of the project."""
    folder = project / "models" / "intermediate" / "state"
    (folder / f"{NAME}.sql").write_text(SQL)
    columns = "".join(f"      - {{name: {name}, data_type: string}}\n" for name in COLUMNS)
    (folder / f"{NAME}.yml").write_text(DECLARED + columns)


def check_added_table(schema: str) -> None:
    """Assert that it has the changelog rows of the runs in the manifest, and no other rows.

    The changelog itself is compared with the independent computation.
    """
    session = SparkSession.builder.getOrCreate()
    state = f"{schema}_state"
    commit = session.table(f"{state}.sync_load_current").collect()[0]["load_id"]
    runs = session.table(f"{state}.int_runs__planned").where(f"load_id = '{commit}'")
    kept = runs.where("not is_pruned and built_load_id is not null").selectExpr(
        "organization_id", "sync_id", "sync_run_id", "built_load_id as load_id"
    )
    on = ["organization_id", "sync_id", "sync_run_id", "load_id"]
    changelog, added = (
        session.table(f"{state}.{table}").join(kept, on).select(*COLUMNS)
        for table in ("int_changelog__built", NAME)
    )
    assert added.count() > 0
    assert added.exceptAll(changelog).collect() == []
    assert changelog.exceptAll(added).collect() == []


def loads_of_added_table(schema: str) -> tuple[set[str], set[str]]:
    """The loads in the table, and the loads that the committed manifest names."""
    session = SparkSession.builder.getOrCreate()
    state = f"{schema}_state"
    commit = session.table(f"{state}.sync_load_current").collect()[0]["load_id"]
    runs = session.table(f"{state}.int_runs__planned").where(f"load_id = '{commit}'")
    there = session.table(f"{state}.{NAME}").select("load_id").distinct().collect()
    named = runs.select("built_load_id").distinct().collect()
    return {row[0] for row in there}, {row[0] for row in named}
