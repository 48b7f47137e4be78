{# State of each record after the last run of its sync, as committed. #}
{{ config(materialized='lazy_view') }}
with

record_states as (
    select * from {{ ref('int_record_states__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

last_runs as (
    select * from runs
    where position = sync_run_count
)

select /*+ broadcast(last_runs) */
    record_states.*,
    last_runs.latest_position,
    last_runs.latest_model_name,
    last_runs.data_until_at,
    -- neither deleted, nor left out by the last replacing run
    not (record_states.canonical_operation = 'delete' and not record_states.is_delivered)
    and record_states.outcome_position >= coalesce(last_runs.last_replacing_position, 0)
        as is_in_snapshot
from record_states
inner join last_runs
    on
        record_states.load_id = last_runs.checkpoint_load_id
        and record_states.organization_id = last_runs.organization_id
        and record_states.sync_id = last_runs.sync_id
        and record_states.position = last_runs.position
