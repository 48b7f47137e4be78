{# State of the records of each replayed sync at the checkpoint from which its replay starts. #}
{{ config(materialized='view') }}
with

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

record_states as (
    select * from {{ source('sync_logs_state', 'record_states') }}
),

starts as (
    select
        organization_id,
        sync_id,
        position,
        checkpoint_load_id
    from runs_planned
    where position = start_position and position < sync_run_count
)

select /*+ broadcast(starts) */ record_states.*
from record_states
inner join starts
    on
        record_states.load_id = starts.checkpoint_load_id
        and record_states.organization_id = starts.organization_id
        and record_states.sync_id = starts.sync_id
        and record_states.position = starts.position
