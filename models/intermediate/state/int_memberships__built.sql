{#
  Memberships that ended in the replayed runs. Open ones are in the states. A changelog row has the
  membership that ended with it, or before it because of a replacing run. A membership that a
  replacing run ended after the last row of its record comes from the last state of the record.
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

replacements as (
    {{ sync_logs.replacements('runs_planned') }}
),

{% set columns = ['organization_id', 'sync_id', 'identifier', 'entered_at',
    'entered_sync_run_id', 'entry_observed', 'last_event_at'] | join(',\n        ') %}
last_states as (
    select
        {{ columns }},
        delivered_position
    from changelog
    where next_position is null and is_delivered

    union all

    select
        {{ columns }},
        position as delivered_position
    from starting_states
    where first_replayed_position is null and is_delivered
),

replaced_memberships as (
    select /*+ broadcast(replacements) */
        last_states.organization_id,
        last_states.sync_id,
        last_states.identifier,
        last_states.entered_at,
        greatest(last_states.last_event_at, replacements.replacement.ended_at) as exited_at,
        last_states.entered_sync_run_id,
        replacements.replacement.sync_run_id as exited_sync_run_id,
        last_states.entry_observed,
        false as exit_observed
    from last_states
    inner join replacements
        on
            last_states.organization_id = replacements.organization_id
            and last_states.sync_id = replacements.sync_id
            and last_states.delivered_position = replacements.position
)

select
    organization_id,
    sync_id,
    identifier,
    ended_entered_at as entered_at,
    exited_at,
    ended_entered_sync_run_id as entered_sync_run_id,
    exited_sync_run_id,
    ended_entry_observed as entry_observed,
    exit_observed
from changelog
where exited_sync_run_id is not null

union all

select
    organization_id,
    sync_id,
    identifier,
    entered_at,
    exited_at,
    entered_sync_run_id,
    exited_sync_run_id,
    entry_observed,
    exit_observed
from replaced_memberships
