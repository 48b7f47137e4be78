select
    organization_id,
    sync_id,
    model_name,
    destination,
    run_count,
    last_run_at,
    last_sync_run_id,
    last_run_status,
    attempted_count,
    succeeded_count,
    failed_count,
    rejection_rate,
    record_count,
    open_record_count,
    failing_since_at,
    median_hours_to_repair,
    member_count,
    data_until_at,
    source_name,
    vendor
from sync_statistics
order by model_name asc nulls last, organization_id asc, sync_id asc
