{#
  Named steps that end in `states_as_of`: the state of every record after a run, from its last row in the
  changelog or, if it has none since an earlier state, from that state. A replacing run takes out the
  records that it does not have, and ends their failures.
  Arguments (names of steps): last_rows: the last changelog row of each record with rows; other_states: the
  earlier states of all other records. Both with requested_position, the position of the run.
  replacements: as returned by `replacements`.
#}
{% macro record_states_after(last_rows, other_states, replacements) %}
{%- set taken_over = sync_logs.record_state_columns() -%}
states_found as (
    select
        organization_id,
        sync_id,
        identifier,
        requested_position,
        delivered_position,
        {{ sync_logs.state_of_change() }}
    from {{ last_rows }}

    union all

    select
        organization_id,
        sync_id,
        identifier,
        requested_position,
        position as delivered_position,
        outcome_position,
        last_sync_run_id,
        last_attempted_at,
        is_outcome_compared,
        {{ taken_over | join(',\n        ') }}
    from {{ other_states }}
),

states_replaced as (
    select /*+ broadcast({{ replacements }}) */
        states_found.*,
        case
            when
                states_found.is_delivered
                and {{ replacements }}.replacement.position <= states_found.requested_position
                then {{ replacements }}.replacement
        end as replaced_by,
        failures_replaced.replacement.position <= states_found.requested_position as is_failure_replaced
    from states_found
    left join {{ replacements }}
        on
            states_found.organization_id = {{ replacements }}.organization_id
            and states_found.sync_id = {{ replacements }}.sync_id
            and states_found.delivered_position = {{ replacements }}.position
    left join {{ replacements }} as failures_replaced
        on
            states_found.organization_id = failures_replaced.organization_id
            and states_found.sync_id = failures_replaced.sync_id
            and states_found.failure.last.position = failures_replaced.position
),

states_delivered as (
    select
        *,
        is_delivered and replaced_by is null as is_still_delivered
    from states_replaced
),

states_as_of as (
    select
        organization_id,
        sync_id,
        identifier,
        requested_position as position,
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
        failure_pattern,
        fields,
        reported_split_group,
        canonical_operation,
        last_attempted_at,
        is_outcome_compared,
        compared_sync_run_id,
        compared_fields,
        {{ sync_logs.record_count_columns() | reject('eq', 'exit_count') | join(',\n        ') }},
        exit_count + if(replaced_by is null, 0, 1) as exit_count,
        first_attempted_at,
        first_added_at,
        last_succeeded_at,
        last_failed_at,
        case when is_failure_replaced is not true then failure end as failure,
        last_failure_pattern,
        last_failed_with_batch
    from states_delivered
)
{% endmacro %}

{# Returns the columns of a record's state, as select expressions on a row of the changelog. #}
{% macro state_of_change() -%}
    position as outcome_position,
    sync_run_id as last_sync_run_id,
    attempted_at as last_attempted_at,
    is_compared as is_outcome_compared,
    {{ sync_logs.record_state_columns() | join(',\n    ') }}
{%- endmacro %}

{# Returns the columns that a row of the changelog and the state after it have in common. #}
{% macro record_state_columns() -%}
    {{ return(sync_logs.record_count_columns() + ['first_attempted_at', 'first_added_at', 'last_succeeded_at',
        'last_failed_at', 'has_been_reached', 'is_delivered', 'entered_at', 'entered_sync_run_id', 'entry_observed',
        'last_event_at', 'op_type', 'status', 'failed_reason', 'failure_pattern', 'fields', 'reported_split_group',
        'canonical_operation', 'compared_sync_run_id', 'compared_fields', 'failure', 'last_failure_pattern',
        'last_failed_with_batch']) }}
{%- endmacro %}

{# Returns the columns that count a record's changelog rows, failures, entries and exits. #}
{% macro record_count_columns() -%}
    {{ return(['planned_count', 'succeeded_count', 'failed_count', 'aborted_count', 'invalid_count', 'added_count',
        'changed_count', 'removed_count', 'failure_count',
        'failed_outcome_count', 'entry_count', 'exit_count']) }}
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
