with

statistics as (
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
),

runs as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        num_failed_add + num_failed_change + num_failed_remove as failed_count
    from sync_runs
)

select
    statistics.organization_id,
    statistics.sync_id,
    statistics.model_name,
    statistics.destination,
    statistics.run_count,
    statistics.last_run_at,
    statistics.last_sync_run_id,
    statistics.last_run_status,
    runs.failed_count as last_run_failed_count,
    statistics.attempted_count,
    statistics.succeeded_count,
    statistics.failed_count,
    statistics.rejection_rate,
    statistics.record_count,
    statistics.open_record_count,
    statistics.failing_since_at,
    statistics.median_hours_to_repair,
    statistics.member_count,
    statistics.data_until_at,
    statistics.source_name,
    statistics.vendor
from statistics
-- a run is one row
left join runs
    on
        statistics.organization_id = runs.organization_id
        and statistics.sync_id = runs.sync_id
        and statistics.last_sync_run_id = runs.sync_run_id
order by
    statistics.model_name asc nulls last, statistics.organization_id asc, statistics.sync_id asc
