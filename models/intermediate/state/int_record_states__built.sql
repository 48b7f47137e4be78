{#
  Checkpoints of the replayed syncs that are due for one: the states of all records after the last
  run.
#}
with

changelog as (
    select * from {{ sync_logs.of_load(ref('int_changelog__built')) }}
),

starting_states as (
    select * from {{ sync_logs.of_load(ref('int_starting_states__found')) }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

checkpoints as (
    select
        organization_id,
        sync_id,
        position as requested_position
    from runs_planned
    where is_replayed and checkpoint_load_id = {{ sync_logs.this_load() }}
),

replacements as (
    {{ sync_logs.replacements('runs_planned') }}
),

last_rows as (
    select /*+ broadcast(checkpoints) */
        changelog.*,
        checkpoints.requested_position
    from changelog
    inner join checkpoints
        on
            changelog.organization_id = checkpoints.organization_id
            and changelog.sync_id = checkpoints.sync_id
    where changelog.identifier is not null and changelog.next_position is null
),

other_states as (
    select /*+ broadcast(checkpoints) */
        starting_states.*,
        checkpoints.requested_position
    from starting_states
    inner join checkpoints
        on
            starting_states.organization_id = checkpoints.organization_id
            and starting_states.sync_id = checkpoints.sync_id
    where starting_states.first_replayed_position is null
),

{{ sync_logs.record_states_after('last_rows', 'other_states', 'replacements') }}

select * from states_as_of
{{ sync_logs.search_order('states_as_of') }}
