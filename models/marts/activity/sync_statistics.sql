with

syncs as (
    select * from {{ sync_logs.of_committed(ref('int_syncs__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    syncs.sync_id,
    syncs.model_name,
    syncs.destination,
    syncs.run_count,
    syncs.succeeded_run_count,
    syncs.failed_run_count,
    syncs.unsettled_run_count,
    syncs.incomplete_run_count,
    syncs.undated_run_count,
    syncs.too_late_run_count,
    syncs.first_run_at,
    syncs.last_run_at,
    syncs.last_succeeded_run_at,
    syncs.last_sync_run_id,
    syncs.last_run_status,
    syncs.planned_count,
    syncs.attempted_count,
    syncs.succeeded_count,
    syncs.failed_count,
    syncs.invalid_count,
    syncs.aborted_count,
    syncs.rejection_rate,
    syncs.invalid_rate,
    try_divide(syncs.attempted_count - syncs.invalid_count, syncs.succeeded_count)
        as attempts_per_delivered_change,
    syncs.median_run_seconds,
    syncs.record_count,
    syncs.open_record_count,
    syncs.member_count,
    syncs.failing_since_at,
    syncs.median_hours_to_repair,
    syncs.organization_id,
    syncs.data_until_at,
    sources.shown.*
from syncs
left join sources
    on syncs.organization_id = sources.organization_id
where {{ sync_logs.is_kept('syncs', 'keep_runs') }}
