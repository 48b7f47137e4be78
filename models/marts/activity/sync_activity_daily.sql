with

days as (
    select * from {{ sync_logs.of_committed(ref('int_days__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    days.sync_id,
    days.calendar_date as activity_date,
    days.run_count,
    days.succeeded_run_count,
    days.failed_run_count,
    days.unsettled_run_count,
    days.incomplete_run_count,
    days.planned_count,
    days.attempted_count,
    days.succeeded_count,
    days.failed_count,
    days.invalid_count,
    days.aborted_count,
    days.added_count,
    days.changed_count,
    days.removed_count,
    days.entry_count,
    days.exit_count,
    days.open_failure_count,
    days.repaired_failure_count,
    days.organization_id,
    days.data_until_at,
    sources.shown.*
from days
left join sources
    on days.organization_id = sources.organization_id
where {{ sync_logs.is_kept('days', 'keep_runs') }}
