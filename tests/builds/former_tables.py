"""Landed rows as version 14 of the state could have them: some of them in tables of their own."""

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.old_state import commit

# what the tables of records and of facts had then
COLUMNS = {
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


def move_rows(built: Warehouse, table: str, former: str, condition: str) -> None:
    """Move the landed rows with a condition to a table that later versions do not have."""
    session = SparkSession.builder.getOrCreate()
    state = f"{built.schema}_state"
    landed, moved = f"{state}.{table}", f"{state}.{former}"
    columns = list(COLUMNS[table])
    if former == "int_records__received":
        columns[-1:] = [*ADDED, "source_row_count", "load_id"]
    session.sql(
        f"create table {moved} using parquet partitioned by (load_id) as "
        f"select {', '.join(columns)} from {landed} where {condition}"
    )
    kept = session.table(landed).where(f"not ({condition})").collect()
    schema = session.table(landed).schema
    for row in session.sql(f"show partitions {landed}").collect():
        load = row[0].split("=", 1)[1]
        session.sql(f"alter table {landed} drop partition (load_id = '{load}')")
    session.createDataFrame(kept, schema).write.insertInto(landed)


def publish_as_version_14(built: Warehouse) -> None:
    """Commit the same load as that version did."""
    session = SparkSession.builder.getOrCreate()
    (row,) = session.table(f"{built.schema}_state.sync_load_current").collect()
    load, words = row["load_id"], row["words"]
    commit(built.schema, f"'{load}' as load_id, 14 as schema_version, '{words}' as words")
