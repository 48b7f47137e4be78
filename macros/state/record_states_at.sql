{#
  Named steps and the last query of a `with` list: the state of every record after certain runs. If
  a record has rows in the runs since the last checkpoint, the last of them has its state. Other
  records keep their earlier state. A replacing run takes out the records that it does not have.
  Arguments (names of steps): last_rows: the last changelog row of each record up to each requested
  run (checkpoint_position); starting_states: the states before the runs, with
  first_replayed_position; checkpoints: the requested runs (organization_id, sync_id,
  checkpoint_position, is_full); replacements: as returned by `replacements`.
#}
{% macro record_states_at(last_rows, starting_states, checkpoints, replacements) %}
{%- set taken_over = sync_logs.record_count_columns() + ['first_attempted_at', 'first_added_at', 'last_succeeded_at',
    'last_failed_at', 'has_been_reached', 'is_delivered', 'entered_at', 'entered_sync_run_id', 'entry_observed',
    'last_event_at', 'op_type', 'status', 'failed_reason', 'fields', 'reported_split_group', 'canonical_operation',
    'compared_sync_run_id', 'compared_fields'] -%}
states_found as (
    select
        organization_id,
        sync_id,
        identifier,
        checkpoint_position,
        delivered_position,
        position as outcome_position,
        sync_run_id as last_sync_run_id,
        attempted_at as last_attempted_at,
        is_compared as is_outcome_compared,
        {{ taken_over | join(',\n        ') }}
    from {{ last_rows }}

    union all

    select
        states.organization_id,
        states.sync_id,
        states.identifier,
        checkpoints.checkpoint_position,
        states.position as delivered_position,
        states.outcome_position,
        states.last_sync_run_id,
        states.last_attempted_at,
        states.is_outcome_compared,
        states.{{ taken_over | join(',\n        states.') }}
    from {{ starting_states }} as states
    inner join {{ checkpoints }} as checkpoints
        on
            states.organization_id = checkpoints.organization_id
            and states.sync_id = checkpoints.sync_id
    where
        checkpoints.is_full
        and (
            states.first_replayed_position is null
            or states.first_replayed_position > checkpoints.checkpoint_position
        )
),

states_replaced as (
    select /*+ broadcast(replacements) */
        states_found.*,
        case
            when
                states_found.is_delivered
                and replacements.replacement.position <= states_found.checkpoint_position
                then replacements.replacement
        end as replaced_by
    from states_found
    left join {{ replacements }} as replacements
        on
            states_found.organization_id = replacements.organization_id
            and states_found.sync_id = replacements.sync_id
            and states_found.delivered_position = replacements.position
),

states as (
    select
        *,
        is_delivered and replaced_by is null as is_still_delivered
    from states_replaced
)

select
    organization_id,
    sync_id,
    identifier,
    checkpoint_position as position,
    has_been_reached,
    is_still_delivered as is_delivered,
    case when is_still_delivered then entered_at end as entered_at,
    case when is_still_delivered then entered_sync_run_id end as entered_sync_run_id,
    case when is_still_delivered then entry_observed end as entry_observed,
    greatest(last_event_at, replaced_by.ended_at) as last_event_at,
    outcome_position,
    last_sync_run_id,
    op_type,
    status,
    failed_reason,
    fields,
    reported_split_group,
    canonical_operation,
    last_attempted_at,
    is_outcome_compared,
    compared_sync_run_id,
    compared_fields,
    {{ sync_logs.record_count_columns() | reject('eq', 'exit_count') | join(',\n    ') }},
    exit_count + if(replaced_by is null, 0, 1) as exit_count,
    first_attempted_at,
    first_added_at,
    last_succeeded_at,
    last_failed_at
from states
{% endmacro %}

{# Returns the columns that count a record's changelog rows, entries and exits. #}
{% macro record_count_columns() -%}
    {{ return(['planned_count', 'succeeded_count', 'failed_count', 'aborted_count', 'invalid_count', 'added_count',
        'changed_count', 'removed_count', 'entry_count', 'exit_count']) }}
{%- endmacro %}

{#
  Returns the payload in a record's state that its next payload is compared with. It is stored
  separately only if it is not the payload of the last outcome.
  Arguments: states (name of a step).
#}
{% macro compared_fields(states) -%}
    case
        when {{ states }}.is_outcome_compared then {{ states }}.fields
        else {{ states }}.compared_fields
    end
{%- endmacro %}
