{#
  States of the records at the checkpoints of the replayed syncs: after the last run and, while that
  run is not settled, also after the last settled one. A run that grows then replays only itself.
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
    {{ sync_logs.new_checkpoints('runs_planned') }}
),

replacements as (
    {{ sync_logs.replacements('runs_planned') }}
),

last_rows as (
    select /*+ broadcast(checkpoints) */
        changelog.*,
        checkpoints.checkpoint_position
    from changelog
    inner join checkpoints
        on
            changelog.organization_id = checkpoints.organization_id
            and changelog.sync_id = checkpoints.sync_id
            and changelog.position <= checkpoints.checkpoint_position
            and coalesce(changelog.next_position > checkpoints.checkpoint_position, true)
            and (checkpoints.is_full or changelog.position > checkpoints.previous_position)
    where changelog.identifier is not null
),

{{ sync_logs.record_states_at('last_rows', 'starting_states', 'checkpoints', 'replacements') }}
{{ sync_logs.search_order('states') }}
