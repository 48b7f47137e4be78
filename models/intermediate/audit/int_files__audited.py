"""What SQL cannot see in the lake: hidden and empty files, and why a file could not be read."""

from typing import Any

from dbt_sync_logs import file_audit


def model(dbt: Any, session: Any) -> Any:
    """One row per finding about a file."""
    load_id = dbt.config.get("load_id")
    target_load_id = dbt.config.get("target_load_id")
    planned = dbt.ref("int_files__planned").where(f"load_id = '{load_id}'")
    landed = dbt.ref("int_files__landed").where(f"load_id = '{target_load_id}'")
    committed_load_id = dbt.source("sync_logs_state", "load_current").collect()[0][0]
    audited = dbt.source("sync_logs_state", "files_audited")
    earlier = audited.where(f"load_id = '{committed_load_id}'")
    known = earlier.select(*file_audit.COLUMNS_OF_FINDINGS).collect()

    rows = file_audit.findings(
        lake=dbt.config.get("lake_path"),
        tables={
            "sync_tracking_datasets": dbt.source("sync_logs_lake", "files"),
            "metadata": dbt.source("sync_logs_lake", "fact_files"),
        },
        planned=planned.where("is_in_lake"),
        # not metadata: a metadata.json that is not a JSON object needs no explanation
        unreadable=landed.where(
            "is_in_lake and issue is not null and not is_pruned and file_kind in ('batch', 'fact')"
        ).withColumn("is_landed_now", landed.landed_load_id == load_id),
        # files that have not changed since keep their findings and are not checked again
        earlier=known,
    )
    if target_load_id != load_id:
        # the last load already has the others
        rows = file_audit.news(rows, known)
    if not rows:
        # a DataFrame of Python rows, even of none, takes a newly started Spark two seconds
        return earlier.limit(0).drop("load_id")
    return session.createDataFrame(rows, file_audit.SCHEMA)
