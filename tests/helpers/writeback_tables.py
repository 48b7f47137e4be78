"""Tables of Census Warehouse Writeback in the catalog of the tests."""

SYNC_LOG = {
    **{"log_id": "string", "sync_id": "bigint", "sync_run_id": "bigint"},
    **{"record_identifier": "string", "record_payload": "string"},
    **{"batch_started_at": "timestamp", "batch_completed_at": "timestamp", "operation": "string"},
    **{"status": "string", "status_message": "string", "_census_logged_at": "timestamp"},
}
IDS = dict.fromkeys(
    ("destination_id", "destination_object_id", "source_id", "source_object_id"), "bigint"
)
