{# Reasons with which the records have failed, at the checkpoints that this build writes. #}
with

changelog as (
    select * from {{ ref('int_changelog__built') }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

record_errors as (
    select * from {{ sync_logs.committed('record_errors') }}
),

runs_marked as (
    select
        organization_id,
        sync_id,
        position,
        sync_run_count,
        built_load_id,
        -- what this build writes is not there yet
        nullif(checkpoint_load_id, {{ sync_logs.this_load() }}) as checkpoint_load_id,
        bool_or(is_replayed and checkpoint_load_id = {{ sync_logs.this_load() }})
            over (partition by organization_id, sync_id) as is_due
    from runs_planned
),

runs_to_add_up as (
    select * from runs_marked
    where is_due
),

{{ sync_logs.errors_as_of('runs_to_add_up', 'sync_run_count') }}

select * from errors_as_of
