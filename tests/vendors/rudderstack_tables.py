"""The sync-log table of RudderStack in the catalog of the tests."""

SYNC_LOG = {
    **{"connection_id": "string", "sync_run_id": "string", "primary_key": "string"},
    **{"operation": "string", "status": "string", "error_reason": "string"},
    **{"sync_started_at": "timestamp", "sync_finished_at": "timestamp"},
}
