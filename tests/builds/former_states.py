"""States as versions 13 to 16 could have them, made from a state of this version."""

from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.compared_tables import differing_tables
from helpers.old_state import commit
from oracle import COLUMNS, Lake, compute
from oracle.building import batch, row
from oracle.random_words import DAY_ONE
from oracle.writing import ParquetFile, parquet

NOW = DAY_ONE + timedelta(minutes=400)
# Version 13: a checkpoint can have only what has changed since another one.
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
# they get the rows of a delta instead of those that the build has written
CHECKPOINTS = ("int_record_states__built", "int_record_errors__built")
# Version 14: some landed rows are in tables of their own.
# what the tables of records and of facts had then
FORMER_COLUMNS = {
    "int_records__landed": (
        *("organization_id", "sync_id", "sync_run_id", "file_name", "batch_type", "batch_number"),
        *("row_index", "identifier", "record_payload", "operation", "status", "status_message"),
        *("batch_started_at", "batch_ended_at", "is_purged", "load_id"),
    ),
    "int_facts__landed": (
        *("organization_id", "file_name", "row_index", "fact_type", "id", "type", "name"),
        *("model_id", "business_object_id", "filter_segment_id", "cohort_id", "load_id"),
    ),
}
ADDED = ("source_key", "log_id", "logged_at", "reported_op_type", "reported_split_group")
# Version 14: files, runs and answers say themselves which source they are of.
SOURCES = "int_sources__known"
SHOWN = {"source_name": "string", "vendor": "string"}
FACTS = {**SHOWN, "payload_kind": "string", "logs_invalid_records": "boolean"}
IN_COLUMNS = {
    **dict.fromkeys(("int_files__planned", "int_files__landed"), FACTS),
    **dict.fromkeys(("int_runs__planned", "int_runs__published"), FACTS),
    **dict.fromkeys(("int_days__counted", "int_syncs__counted"), SHOWN),
    **dict.fromkeys(("int_errors__counted", "int_error_categories__counted"), SHOWN),
}


def stored_load(built: Warehouse) -> str:
    """The load that is committed now."""
    (row,) = built.rows("sync_load_current", "_state")
    return str(row["load_id"])


def write_deltas(built: Warehouse) -> None:
    """Publish the committed load once more, with a checkpoint after each of its two runs.

    The second is a delta on the first: it has only the records of its run.
    """
    session = SparkSession.builder.getOrCreate()
    state = f"{built.schema}_state"
    load = stored_load(built)
    copy = f"{load}d"
    session.sql(f"alter table {state}.int_runs__planned add columns (checkpoint_base_position int)")
    changed = {
        "checkpoint_load_id": f"'{copy}'",
        "checkpoint_base_position": "case when position = 2 then 1 end",
    }
    _copy_load(session, state, load, copy, {"int_runs__planned": changed}, CHECKPOINTS)
    changelog = f"int_changelog__built where load_id = '{load}'"
    for table, sources, rows in (
        (CHECKPOINTS[0], RENAMED, changelog),
        (CHECKPOINTS[1], COUNTED, f"{changelog} and status = 'failed'"),
    ):
        columns = [one for one in session.table(f"{state}.{table}").columns if one != "load_id"]
        values = [sources.get(one, one) for one in columns]
        _insert(session, f"{state}.{table}", copy, columns, values, rows)
    publish_as_version(13, built, copy)


def _load_tables(session: SparkSession, state: str) -> Iterator[tuple[str, list[str]]]:
    """Each table that has rows of loads, with its columns except `load_id`."""
    for one in session.catalog.listTables(state):
        columns = session.table(f"{state}.{one.name}").columns
        if one.tableType != "VIEW" and "load_id" in columns:
            yield one.name, [name for name in columns if name != "load_id"]


def _copy_load(
    session: SparkSession,
    state: str,
    load: str,
    copy: str,
    changed: Mapping[str, Mapping[str, str]],
    left_out: Collection[str] = (),
) -> None:
    """Write the rows of a load again as another load, with other values in some columns."""
    for table, columns in _load_tables(session, state):
        if table not in left_out:
            values = [changed.get(table, {}).get(name, name) for name in columns]
            rows = f"{table} where load_id = '{load}'"
            _insert(session, f"{state}.{table}", copy, columns, values, rows)


def _insert(
    session: SparkSession, table: str, load: str, columns: list[str], values: list[str], rows: str
) -> None:
    state = table.split(".")[0]
    session.sql(
        f"insert into {table} partition (load_id = '{load}') ({', '.join(columns)}) "
        f"select {', '.join(values)} from {state}.{rows}"
    )


def move_rows(built: Warehouse, table: str, former: str, condition: str) -> None:
    """Move the landed rows with a condition to a table that later versions do not have."""
    session = SparkSession.builder.getOrCreate()
    state = f"{built.schema}_state"
    landed, moved = f"{state}.{table}", f"{state}.{former}"
    columns = list(FORMER_COLUMNS[table])
    if former == "int_records__received":
        columns[-1:] = [*ADDED, "source_row_count", "load_id"]
    session.sql(
        f"create table {moved} using parquet partitioned by (load_id) as "
        f"select {', '.join(columns)} from {landed} where {condition}"
    )
    kept = session.table(landed).where(f"not ({condition})").collect()
    schema = session.table(landed).schema
    for partition in session.sql(f"show partitions {landed}").collect():
        load = partition[0].split("=", 1)[1]
        session.sql(f"alter table {landed} drop partition (load_id = '{load}')")
    session.createDataFrame(kept, schema).write.insertInto(landed)


def write_columns(built: Warehouse) -> None:
    """Publish the committed load once more, with these columns and without the table of sources."""
    session = SparkSession.builder.getOrCreate()
    state = f"{built.schema}_state"
    load = stored_load(built)
    copy = f"{load}c"
    for table, own in _load_tables(session, state):
        if table == SOURCES:
            continue
        facts = IN_COLUMNS.get(table, {})
        if facts:
            added = ", ".join(f"{name} {kind}" for name, kind in facts.items())
            session.sql(f"alter table {state}.{table} add columns ({added})")
        values = [*(f"copied.{name}" for name in own), *(f"sources.{name}" for name in facts)]
        joined = (
            f"left join {state}.{SOURCES} as sources on sources.load_id = '{load}' "
            "and copied.organization_id <=> sources.organization_id"
            if facts
            else ""
        )
        session.sql(
            f"insert into {state}.{table} partition (load_id = '{copy}') "
            f"({', '.join([*own, *facts])}) select {', '.join(values)} "
            f"from {state}.{table} as copied {joined} where copied.load_id = '{load}'"
        )
    session.sql(f"drop table {state}.{SOURCES}")
    publish_as_version(14, built, copy)


# Version 16: nothing knows since when a record fails.
def forget_failures(built: Warehouse) -> None:
    """Publish the committed load once more as version 16."""
    session = SparkSession.builder.getOrCreate()
    state = f"{built.schema}_state"
    load = stored_load(built)
    copy = f"{load}f"
    of_rows = dict.fromkeys(("failure", "failure_count", "failed_outcome_count"), "null")
    changed = {
        "int_record_states__built": of_rows,
        "int_changelog__built": of_rows | {"ended_failure": "null"},
        "int_runs__planned": {"built_load_id": f"'{copy}'", "checkpoint_load_id": f"'{copy}'"},
    }
    _copy_load(session, state, load, copy, changed, ["int_failures__built"])
    publish_as_version(16, built, copy)


def publish_as_version(version: int, built: Warehouse, load: str | None = None) -> None:
    """Commit a load as that version did: the committed one, or another one with its rows."""
    (row,) = built.rows("sync_load_current", "_state")
    values = {"load_id": f"'{load or row['load_id']}'", "schema_version": version}
    values["words"] = f"'{row['words']}'"
    commit(built.schema, ", ".join(f"{value} as {name}" for name, value in values.items()))


def run(run_id: str, minute: int, **statuses: str) -> ParquetFile:
    """A batch of a run of one sync, with a status for each record."""
    rows = [row(one, "upsert", status, ended=minute) for one, status in statuses.items()]
    return parquet(batch(run_id, *rows, organization="new"))


def tables_of(built: Warehouse) -> set[str]:
    """Names of the tables and views of the state."""
    listed = SparkSession.builder.getOrCreate().sql(f"show tables in {built.schema}_state")
    return {row["tableName"] for row in listed.collect()}


def check(built: Warehouse, lake: Lake) -> None:
    """Assert that every table matches the specification."""
    assert differing_tables(compute(lake, NOW), built.tables(COLUMNS), COLUMNS) == {}
