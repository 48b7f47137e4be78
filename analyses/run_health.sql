{# Health of each sync: how its runs ended, and what the latest one did. #}
with

runs as (
    select * from {{ ref('sync_runs') }}
),

syncs as (
    select
        organization_id,
        sync_id,
        count(*) as run_count,
        count_if(status = 'succeeded') as succeeded_runs,
        count_if(status = 'failed') as failed_runs,
        count_if(status is null) as open_runs,
        sum(num_attempted_add + num_attempted_change + num_attempted_remove) as attempted_rows,
        sum(num_failed_add + num_failed_change + num_failed_remove) as failed_rows,
        max_by(coalesce(status, 'not settled'), run_position) as latest_status,
        max(order_at) as latest_run_at
    from runs
    group by organization_id, sync_id
)

select
    organization_id,
    sync_id,
    run_count,
    succeeded_runs,
    failed_runs,
    open_runs,
    attempted_rows,
    round(100 * failed_rows / nullif(attempted_rows, 0), 1) as failed_percent,
    latest_status,
    latest_run_at
from syncs
order by organization_id asc, sync_id asc
