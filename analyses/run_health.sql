{# How is each sync doing: how did its runs end, what was rejected, what is failing now? #}
with

syncs as (
    select * from {{ ref('sync_statistics') }}
)

select
    organization_id,
    sync_id,
    model_name,
    run_count,
    failed_run_count as failed_runs,
    unsettled_run_count as open_runs,
    attempted_count as attempted_rows,
    round(100 * rejection_rate, 1) as rejected_percent,
    open_record_count as failing_records,
    coalesce(last_run_status, 'not settled') as latest_status,
    last_run_at as latest_run_at
from syncs
order by organization_id asc, sync_id asc
