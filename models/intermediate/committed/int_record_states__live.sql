{# State of each record after the last run of its sync, as committed. #}
{{ config(materialized='lazy_view') }}
with

record_states as (
    select * from {{ ref('int_record_states__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

changelog as (
    select * from {{ ref('int_changelog__built') }}
),

{{ sync_logs.state_as_of('runs', 'sync_run_count') }},

last_runs as (
    select * from runs
    where position = sync_run_count
)

select /*+ broadcast(last_runs) */
    states_as_of.*,
    last_runs.latest_position,
    last_runs.latest_model_name,
    last_runs.data_until_at,
    {{ sync_logs.is_in_snapshot('states_as_of', 'last_runs') }} as is_in_snapshot
from states_as_of
inner join last_runs
    on
        states_as_of.organization_id = last_runs.organization_id
        and states_as_of.sync_id = last_runs.sync_id
