"""Tables of Hightouch's Warehouse Sync Logs in the catalog of the tests."""

CHANGELOG = {
    **{"sync_id": "bigint", "sync_run_id": "bigint", "op_type": "string", "row_id": "string"},
    **{"status": "string", "failure_reason": "string", "fields": "string"},
}
COUNTS = tuple(
    f"num_{measure}_{op_type}"
    for measure in ("planned", "attempted", "succeeded", "failed")
    for op_type in ("add", "change", "remove")
)
RUNS = {
    **{"sync_id": "bigint", "sync_run_id": "bigint", "primary_key": "string"},
    **{"destination": "string", "model_name": "string", "model_id": "bigint", "status": "string"},
    **{"error": "string", "started_at": "timestamp", "finished_at": "timestamp"},
    **dict.fromkeys(COUNTS, "bigint"),
}
