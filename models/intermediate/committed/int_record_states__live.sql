{#
  State of each record after the last run of its sync, as committed: that of its newest changelog row or,
  if it has none since the last checkpoint, that of the checkpoint. It is `state_as_of` for the last run,
  with what the runs store for it, because readers wait for Spark to plan it.
#}
{{ config(materialized='lazy_view') }}
{% set state_columns = [
    'outcome_position', 'last_sync_run_id', 'last_attempted_at', 'is_outcome_compared'
] + sync_logs.record_state_columns() %}
{% set replaced_columns = [
    'is_delivered', 'entered_at', 'entered_sync_run_id', 'entry_observed', 'last_event_at',
    'exit_count', 'failure'
] %}
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

changes as (
    select /*+ broadcast(runs) */
        changelog.*,
        runs.latest_position,
        runs.latest_model_name,
        runs.data_until_at,
        runs.last_replacing_position
    from changelog
    inner join runs
        on
            changelog.load_id = runs.built_load_id
            and changelog.organization_id = runs.organization_id
            and changelog.sync_id = runs.sync_id
            and changelog.position = runs.position
            and runs.position > runs.last_checkpoint_position
    where changelog.identifier is not null
),

changes_followed as (
    select
        *,
        lead(position) over (
            partition by organization_id, sync_id, identifier
            order by {{ sync_logs.changelog_order(sync_logs.is_invalid('record_status')) }}
        ) is null as is_last
    from changes
),

states_found as (
    select
        organization_id,
        sync_id,
        identifier,
        delivered_position,
        {{ sync_logs.state_of_change() }},
        latest_position,
        latest_model_name,
        data_until_at,
        last_replacing_position
    from changes_followed
    where is_last

    union all

    select /*+ broadcast(runs), broadcast(changes) */
        record_states.organization_id,
        record_states.sync_id,
        record_states.identifier,
        record_states.position as delivered_position,
        record_states.{{ state_columns | join(',\n        record_states.') }},
        runs.latest_position,
        runs.latest_model_name,
        runs.data_until_at,
        runs.last_replacing_position
    from record_states
    inner join runs
        on
            record_states.load_id = runs.checkpoint_load_id
            and record_states.organization_id = runs.organization_id
            and record_states.sync_id = runs.sync_id
            and record_states.position = runs.position
            and runs.position = runs.last_checkpoint_position
    left anti join changes
        on
            record_states.organization_id = changes.organization_id
            and record_states.sync_id = changes.sync_id
            and record_states.identifier = changes.identifier
),

runs_replaced as (
    select * from runs
    where next_replacing_position is not null
),

-- a replacing run takes out the members that it does not have, and ends failures of records that it
-- does not have, without a row for them
states_replaced as (
    select /*+ broadcast(runs_replaced) */
        states_found.*,
        runs_replaced.replaced_at,
        states_found.is_delivered and runs_replaced.position is null as is_still_delivered
    from states_found
    left join runs_replaced
        on
            states_found.organization_id = runs_replaced.organization_id
            and states_found.sync_id = runs_replaced.sync_id
            and states_found.delivered_position = runs_replaced.position
            and states_found.is_delivered
),

states as (
    select
        organization_id,
        sync_id,
        identifier,
        {{ state_columns | reject('in', replaced_columns) | join(',\n        ') }},
        is_still_delivered as is_delivered,
        case when is_still_delivered then entered_at end as entered_at,
        case when is_still_delivered then entered_sync_run_id end as entered_sync_run_id,
        case when is_still_delivered then entry_observed end as entry_observed,
        greatest(last_event_at, replaced_at) as last_event_at,
        exit_count + if(is_delivered and not is_still_delivered, 1, 0) as exit_count,
        case when failure.last.position >= coalesce(last_replacing_position, 0) then failure end
            as failure,
        latest_position,
        latest_model_name,
        data_until_at,
        last_replacing_position
    from states_replaced
)

select
    *,
    {{ sync_logs.is_in_snapshot('states', 'states') }} as is_in_snapshot
from states
