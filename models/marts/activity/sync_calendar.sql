with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

days as (
    select * from {{ ref('int_days__counted') }}
    where load_id = (select load_current.load_id from load_current)
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
