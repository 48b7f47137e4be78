select
    organization_id,
    sync_id,
    activity_date,
    attempted_count,
    succeeded_count,
    failed_count,
    invalid_count,
    aborted_count,
    entry_count,
    exit_count
from sync_activity_daily
where activity_date > cast(data_until_at as date) - cast(:days as int)
order by organization_id asc, sync_id asc, activity_date asc
