"""Tables of Hightouch's Warehouse Sync Logs in the catalog of the tests."""

from helpers.source_tables import with_sources

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


def variables(schema: str, **more: object) -> str:
    """The dbt vars of a project whose only source is that schema, as the organisation `acme`."""
    source = {"name": "ht", "type": "hightouch", "schema": schema, "organization_id": "acme"}
    return with_sources(source, **more)
