{# Runs of the committed load. #}
{{ config(materialized='lazy_view') }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = (select load_current.load_id from load_current)
)

select
    *,
    -- a position is null in runs that are too late
    max(case when record_count > 0 or is_settled then position end)
        over (partition by organization_id, sync_id) as latest_position,
    max(case when is_replacing then position end)
        over (partition by organization_id, sync_id) as last_replacing_position,
    last_value(case when position is not null then model_name end, true) over (
        partition by organization_id, sync_id
        order by position asc
        rows between unbounded preceding and unbounded following
    ) as latest_model_name,
    max(
        case
            when is_too_late is not true
                then greatest(order_at, last_batch_ended_at, reported_finished_at)
        end
    ) over (partition by organization_id, sync_id) as data_until_at
from runs_planned
