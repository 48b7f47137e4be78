with

runs as (
    select
        sync_run_id,
        -- the day on which `sync_activity_daily` counts the run
        cast(order_at as date) as run_date
    from sync_runs
    where organization_id = :organization_id and sync_id = :sync_id
),

changes as (
    select * from payload_schema_changes
    where organization_id = :organization_id and sync_id = :sync_id
),

changes_dated as (
    select
        changes.*,
        case
            when runs.run_date between cast(:from_date as date) and cast(:until_date as date)
                then 'later'
            when
                runs.run_date
                between cast(:before_from_date as date) and cast(:before_until_date as date)
                then 'earlier'
        end as period
    from changes
    inner join runs
        on changes.sync_run_id = runs.sync_run_id
)

select
    period,
    field_name,
    change_type,
    json_types,
    sync_run_id,
    run_at,
    previous_sync_run_id,
    previous_count,
    previous_payload_count,
    new_count,
    payload_count
from changes_dated
where period is not null
order by period desc, run_at desc nulls last, sync_run_id asc, field_name asc
limit :row_limit
