select
    activity_date,
    run_count,
    planned_count,
    attempted_count,
    succeeded_count,
    failed_count,
    invalid_count,
    aborted_count,
    entry_count,
    exit_count
from sync_activity_daily
where organization_id = :organization_id and sync_id = :sync_id
order by activity_date asc
