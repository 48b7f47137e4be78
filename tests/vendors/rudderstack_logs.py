"""What the tables of RudderStack, and of another vendor like it, have before each build."""

from datetime import datetime

from pyspark.sql import SparkSession

from helpers.source_tables import put

SCHEMA = "rudder_logs"
SOURCE = {"name": "rs", "type": "rudderstack", "schema": SCHEMA}
ACME_SCHEMA = "acme_logs"
OF_ANOTHER_VENDOR = {"name": "other", "type": "acme_sync", "schema": ACME_SCHEMA}
SYNC_LOG = {
    **{"connection_id": "string", "sync_run_id": "string", "primary_key": "string"},
    **{"operation": "string", "status": "string", "error_reason": "string"},
    **{"sync_started_at": "timestamp", "sync_finished_at": "timestamp"},
}


def row(day: int, operation: str, key: str, reason: str | None = None) -> dict[str, object]:
    """A row of the run of a day, which took an hour."""
    return {
        **{"connection_id": "c", "sync_run_id": f"run{day}", "primary_key": key},
        **{"operation": operation, "status": "failed" if reason else "succeeded"},
        **{"error_reason": reason, "sync_started_at": datetime(2026, 1, day, 1)},
        "sync_finished_at": datetime(2026, 1, day, 2),
    }


# a row came twice, and a record with two operations
FIRST = [
    row(1, "insert", "a"),
    row(1, "insert", "b", "no e-mail"),
    row(1, "update", "c"),
    row(1, "delete", "d"),
    row(1, "delete", "d"),
    row(1, "insert", "e"),
    row(1, "update", "e"),
]
SECOND = [row(2, "delete", "a"), row(2, "insert", "b")]
# the keys that failed in the second run; of some, RudderStack says that they were not sent
KEY_TYPES = {"email": "string", "rudder_operation": "string", "rudder_invalid": "boolean"}
FAILED_KEYS = [
    {"email": email, "rudder_operation": "insert", "rudder_invalid": is_invalid}
    for email, is_invalid in (("f", True), (None, True), ("g", False), ("b", True))
]
# of docs/sources.md
VIEW = f"""
    select * from {SCHEMA}.sync_logs
    union all
    select
        'c', 'run2', email, rudder_operation, if(email is null, 'NULL', 'DUPLICATE'),
        cast(null as string), cast(null as timestamp), cast(null as timestamp)
    from {SCHEMA}.failed_keys_c_run2
    where rudder_invalid
"""


def write(build: int) -> None:
    """Write the tables, and the view of both that is the source; the third build finds no news."""
    if build == 1:
        # the second run goes on
        put(f"{SCHEMA}.sync_logs", SYNC_LOG, [*FIRST, {**SECOND[0], "sync_finished_at": None}])
        put(f"{SCHEMA}.failed_keys_c_run2", KEY_TYPES, [])
        put(f"{ACME_SCHEMA}.sync_log", SYNC_LOG, FIRST)
    elif build == 2:
        # the first run was cleaned up in part, and the second one has ended
        put(f"{SCHEMA}.sync_logs", SYNC_LOG, [FIRST[0], *SECOND])
        put(f"{SCHEMA}.failed_keys_c_run2", KEY_TYPES, FAILED_KEYS)
    spark = SparkSession.builder.getOrCreate()
    spark.sql(f"create or replace view {SCHEMA}.sync_log as {VIEW}")
