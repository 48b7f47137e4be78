with

days as (
    select * from {{ sync_logs.of_committed(ref('int_days__counted')) }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    days.sync_id,
    days.calendar_date,
    days.organization_id,
    days.data_until_at,
    days.source_name,
    days.vendor
from days
where {{ sync_logs.is_kept('days', 'keep_runs') }}
