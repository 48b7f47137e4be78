"""Failure patterns that say the same in other words, over all syncs."""

from typing import Any

from dbt_sync_logs import error_clusters


def model(dbt: Any, session: Any) -> Any:
    """One row per failure pattern, with its cluster."""
    load_id = dbt.config.get("target_load_id")
    committed_load_id = dbt.source("sync_logs_state", "load_current").collect()[0][0]
    clustered = dbt.source("sync_logs_state", "patterns_clustered")
    earlier = clustered.where(f"load_id = '{committed_load_id}'").drop("load_id")
    patterns = error_clusters.most_open(
        dbt.ref("int_error_patterns__counted").where(f"load_id = '{load_id}'")
    )
    # most builds have no new pattern
    if error_clusters.are_of(patterns, earlier.select(*error_clusters.KEY).collect()):
        return earlier
    rows = error_clusters.rows_of(patterns)
    if not rows:
        return earlier.limit(0)
    return session.createDataFrame(rows, error_clusters.SCHEMA)
