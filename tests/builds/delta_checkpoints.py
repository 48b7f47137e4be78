"""Checkpoints as version 13 of the state could have them: what has changed since another one."""

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.old_state import commit

# columns of a state that a changelog row has under another name
RENAMED = {
    "outcome_position": "position",
    "last_sync_run_id": "sync_run_id",
    "last_attempted_at": "attempted_at",
    "is_outcome_compared": "is_compared",
}
# of a record and reason, up to the row
SO_FAR = "over (partition by identifier, failed_reason order by position)"
COUNTED = {
    "attempt_count": f"count(*) {SO_FAR}",
    "first_seen_at": f"min(attempted_at) {SO_FAR}",
    "last_seen_at": "attempted_at",
    "last_seen_position": "position",
    "last_sync_run_id": "sync_run_id",
}


def write_deltas(built: Warehouse) -> None:
    """Publish the committed load once more, with a checkpoint after each of its two runs.

    The second is a delta on the first: it has only the records of its run.
    """
    session = SparkSession.builder.getOrCreate()
    state = f"{built.schema}_state"
    (row,) = session.table(f"{state}.sync_load_current").collect()
    load, copy = row["load_id"], f"{row['load_id']}d"
    session.sql(f"alter table {state}.int_runs__planned add columns (checkpoint_base_position int)")
    for one in session.catalog.listTables(state):
        table, columns = one.name, session.table(f"{state}.{one.name}").columns
        if one.tableType == "VIEW" or "load_id" not in columns:
            continue
        columns.remove("load_id")
        changed = {
            "checkpoint_load_id": f"'{copy}'",
            "checkpoint_base_position": "case when position = 2 then 1 end",
        }
        values = [
            changed.get(name, name) if table == "int_runs__planned" else name for name in columns
        ]
        _insert(
            session, f"{state}.{table}", copy, columns, values, f"{table} where load_id = '{load}'"
        )
    changelog = f"int_changelog__built where load_id = '{load}'"
    for table, sources, rows in (
        ("int_record_states__built", RENAMED, changelog),
        ("int_record_errors__built", COUNTED, f"{changelog} and status = 'failed'"),
    ):
        columns = [one for one in session.table(f"{state}.{table}").columns if one != "load_id"]
        values = [sources.get(one, one) for one in columns]
        _insert(session, f"{state}.{table}", copy, columns, values, rows)
    commit(built.schema, f"'{copy}' as load_id, 13 as schema_version, '{row['words']}' as words")


def _insert(
    session: SparkSession, table: str, load: str, columns: list[str], values: list[str], rows: str
) -> None:
    state = table.split(".")[0]
    session.sql(
        f"insert into {table} partition (load_id = '{load}') ({', '.join(columns)}) "
        f"select {', '.join(values)} from {state}.{rows}"
    )
