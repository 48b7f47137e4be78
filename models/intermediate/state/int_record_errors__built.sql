{# Reasons with which the records of the replayed syncs have failed, at the states' checkpoints. #}
with

changelog as (
    select * from {{ ref('int_changelog__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

seed_errors as (
    select * from {{ ref('int_seed_errors__chosen') }}
),

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

checkpoints as (
    select
        organization_id,
        sync_id,
        position as checkpoint_position
    from runs_planned
    where is_replayed and checkpoint_load_id = '{{ sync_logs.load_id() }}'
),

{{ sync_logs.record_errors_at('changelog', 'seed_errors', 'checkpoints') }}
