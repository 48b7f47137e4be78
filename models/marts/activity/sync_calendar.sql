with

runs as (
    select * from {{ ref('int_runs__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

syncs_left_out as (
    select * from sync_settings
    where not keep_runs
)
,

syncs as (
    select
        organization_id,
        sync_id,
        min(order_at) as first_run_at,
        max(data_until_at) as data_until_at
    from runs
    where is_too_late is not true
    group by organization_id, sync_id
),

-- days count while any sync of the organisation has data: silence is news, an old lake is not
syncs_spanned as (
    select
        *,
        max(data_until_at) over (partition by organization_id) as organization_data_until_at
    from syncs
),

days as (
    select
        organization_id,
        sync_id,
        data_until_at,
        explode(
            sequence(
                cast(first_run_at as date),
                cast(organization_data_until_at as date),
                interval 1 day
            )
        ) as calendar_date
    from syncs_spanned
    where first_run_at is not null
)

select
    days.sync_id,
    days.calendar_date,
    days.organization_id,
    days.data_until_at
from days
left anti join syncs_left_out
    on
        days.organization_id = syncs_left_out.organization_id
        and days.sync_id = syncs_left_out.sync_id
