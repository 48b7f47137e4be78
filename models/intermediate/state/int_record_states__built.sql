{#
  State of every record at the checkpoints of the replayed syncs: after the last run and, while that
  is not settled, also after the last settled one, so that a run which grows costs that run alone.
#}
with

changelog as (
    select * from {{ ref('int_changelog__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

membership_events as (
    select * from {{ ref('int_membership_events__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

seed_states as (
    select * from {{ ref('int_seed_states__chosen') }}
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

{{ sync_logs.record_states_at('changelog', 'membership_events', 'seed_states', 'checkpoints') }}
{{ sync_logs.search_order('states') }}
