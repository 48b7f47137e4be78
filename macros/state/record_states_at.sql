{#
  Named steps and the last query of a `with` list: the state of every record after certain runs, from an
  earlier state and what happened since.
  Arguments (names of steps): changelog and membership_events, the rows of the runs since; seed_states,
  the states after the run before them, none for a sync that starts from nothing; checkpoints, one row
  per sync and run asked for (organization_id, sync_id, checkpoint_position).
#}
{% macro record_states_at(changelog, membership_events, seed_states, checkpoints) %}
outcomes_timed as (
    select
        *,
        coalesce(batch_ended_at, order_at) as attempted_at
    from {{ changelog }}
),

outcomes_until as (
    select
        outcomes.*,
        checkpoints.checkpoint_position,
        {{ sync_logs.record_hash('outcomes') }} as record_hash,
        -- each payload in one of two columns, so that the shuffle carries it once
        case
            when outcomes.is_compared
                then named_struct('sync_run_id', outcomes.sync_run_id, 'fields', outcomes.fields)
        end as compared_outcome,
        case when outcomes.is_compared is not true then outcomes.fields end as uncompared_fields
    from outcomes_timed as outcomes
    inner join {{ checkpoints }} as checkpoints
        on
            outcomes.organization_id = checkpoints.organization_id
            and outcomes.sync_id = checkpoints.sync_id
            and outcomes.position <= checkpoints.checkpoint_position
    where outcomes.identifier is not null
),

-- an invalid row is the outcome of a run only where the record has no better attempt in it
{% set outcomes_of_record -%}
    partition by record_hash, organization_id, sync_id, identifier, checkpoint_position
    order by
        position asc,
        record_status not in ('invalid_null_key', 'invalid_duplicate_key') asc,
        batch_ended_at asc nulls first,
        batch_number asc nulls first,
        file_name asc,
        row_index asc
{%- endset %}
{% set until_now = outcomes_of_record ~ ' rows between unbounded preceding and current row' %}
outcomes_folded as (
    select
        *,
        lead(position) over ({{ outcomes_of_record }}) is null as is_last,
        bool_or(is_reached) over ({{ until_now }}) as has_been_reached,
        count(*) over ({{ until_now }}) as planned_count,
        count_if(status = 'succeeded') over ({{ until_now }}) as succeeded_count,
        count_if(status = 'failed') over ({{ until_now }}) as failed_count,
        count_if(status = 'aborted') over ({{ until_now }}) as aborted_count,
        count_if(record_status in ('invalid_null_key', 'invalid_duplicate_key'))
            over ({{ until_now }}) as invalid_count,
        count_if(status = 'succeeded' and op_type = 'added') over ({{ until_now }})
            as added_count,
        count_if(status = 'succeeded' and op_type = 'changed') over ({{ until_now }})
            as changed_count,
        count_if(status = 'succeeded' and op_type = 'removed') over ({{ until_now }})
            as removed_count,
        min(attempted_at) over ({{ until_now }}) as first_attempted_at,
        min(case when status = 'succeeded' and op_type = 'added' then attempted_at end)
            over ({{ until_now }}) as first_added_at,
        max(case when status = 'succeeded' then attempted_at end) over ({{ until_now }})
            as last_succeeded_at,
        max(case when status = 'failed' then attempted_at end) over ({{ until_now }})
            as last_failed_at,
        last_value(compared_outcome, true) over ({{ until_now }}) as compared
    from outcomes_until
),

last_outcomes as (
    select
        *,
        named_struct(
            'outcome_position', position,
            'last_sync_run_id', sync_run_id,
            'op_type', op_type,
            'status', status,
            'failed_reason', failed_reason,
            'fields', case
                when is_compared then compared_outcome.fields
                else uncompared_fields
            end,
            'canonical_operation', canonical_operation,
            'last_attempted_at', attempted_at,
            'is_compared', is_compared
        ) as outcome
    from outcomes_folded
    where is_last
),

last_events as (
    select
        {{ sync_logs.record_hash('membership_events') }} as record_hash,
        membership_events.organization_id,
        membership_events.sync_id,
        membership_events.identifier,
        checkpoints.checkpoint_position,
        count_if(membership_events.is_entry) as entry_count,
        count_if(not membership_events.is_entry) as exit_count,
        max_by(
            named_struct(
                'is_delivered', membership_events.is_entry,
                'entered_at', membership_events.event_at,
                'entered_sync_run_id', membership_events.sync_run_id,
                'entry_observed', membership_events.is_observed,
                'last_event_at', membership_events.latest_event_at
            ),
            struct(membership_events.position, membership_events.sequence_number)
        ) as event
    from {{ membership_events }} as membership_events
    inner join {{ checkpoints }} as checkpoints
        on
            membership_events.organization_id = checkpoints.organization_id
            and membership_events.sync_id = checkpoints.sync_id
            and membership_events.position <= checkpoints.checkpoint_position
    group by
        {{ sync_logs.record_hash('membership_events') }},
        membership_events.organization_id,
        membership_events.sync_id,
        membership_events.identifier,
        checkpoints.checkpoint_position
),

seeds_at_checkpoints as (
    select
        seed_states.*,
        checkpoints.checkpoint_position,
        {{ sync_logs.record_hash('seed_states') }} as record_hash
    from {{ seed_states }} as seed_states
    inner join {{ checkpoints }} as checkpoints
        on
            seed_states.organization_id = checkpoints.organization_id
            and seed_states.sync_id = checkpoints.sync_id
),

records_joined as (
    select
        coalesce(last_outcomes.record_hash, seeds_at_checkpoints.record_hash) as record_hash,
        coalesce(last_outcomes.organization_id, seeds_at_checkpoints.organization_id)
            as organization_id,
        coalesce(last_outcomes.sync_id, seeds_at_checkpoints.sync_id) as sync_id,
        coalesce(last_outcomes.identifier, seeds_at_checkpoints.identifier) as identifier,
        coalesce(last_outcomes.checkpoint_position, seeds_at_checkpoints.checkpoint_position)
            as checkpoint_position,
        coalesce(last_outcomes.has_been_reached, false)
        or coalesce(seeds_at_checkpoints.has_been_reached, false) as has_been_reached,
        {% for column in sync_logs.record_count_columns() %}
            coalesce(last_outcomes.{{ column }}, 0)
            + coalesce(seeds_at_checkpoints.{{ column }}, 0) as {{ column }},
        {% endfor %}
        {% for column in ['first_attempted_at', 'first_added_at'] %}
            least(last_outcomes.{{ column }}, seeds_at_checkpoints.{{ column }}) as {{ column }},
        {% endfor %}
        {% for column in ['last_succeeded_at', 'last_failed_at'] %}
            greatest(last_outcomes.{{ column }}, seeds_at_checkpoints.{{ column }})
                as {{ column }},
        {% endfor %}
        coalesce(seeds_at_checkpoints.entry_count, 0) as seed_entry_count,
        coalesce(seeds_at_checkpoints.exit_count, 0) as seed_exit_count,
        coalesce(
            last_outcomes.compared,
            case
                when seeds_at_checkpoints.compared_sync_run_id is not null
                    then named_struct(
                        'sync_run_id', seeds_at_checkpoints.compared_sync_run_id,
                        'fields', {{ sync_logs.compared_fields('seeds_at_checkpoints') }}
                    )
            end
        ) as compared,
        coalesce(
            last_outcomes.outcome,
            named_struct(
                'outcome_position', seeds_at_checkpoints.outcome_position,
                'last_sync_run_id', seeds_at_checkpoints.last_sync_run_id,
                'op_type', seeds_at_checkpoints.op_type,
                'status', seeds_at_checkpoints.status,
                'failed_reason', seeds_at_checkpoints.failed_reason,
                'fields', seeds_at_checkpoints.fields,
                'canonical_operation', seeds_at_checkpoints.canonical_operation,
                'last_attempted_at', seeds_at_checkpoints.last_attempted_at,
                'is_compared', coalesce(seeds_at_checkpoints.is_outcome_compared, false)
            )
        ) as outcome,
        named_struct(
            'is_delivered', coalesce(seeds_at_checkpoints.is_delivered, false),
            'entered_at', seeds_at_checkpoints.entered_at,
            'entered_sync_run_id', seeds_at_checkpoints.entered_sync_run_id,
            'entry_observed', seeds_at_checkpoints.entry_observed,
            'last_event_at', seeds_at_checkpoints.last_event_at
        ) as seed_event
    from last_outcomes
    full outer join seeds_at_checkpoints
        on
            last_outcomes.record_hash = seeds_at_checkpoints.record_hash
            and last_outcomes.organization_id = seeds_at_checkpoints.organization_id
            and last_outcomes.sync_id = seeds_at_checkpoints.sync_id
            and last_outcomes.identifier = seeds_at_checkpoints.identifier
            and last_outcomes.checkpoint_position = seeds_at_checkpoints.checkpoint_position
),

states as (
    select
        records_joined.organization_id,
        records_joined.sync_id,
        records_joined.identifier,
        records_joined.checkpoint_position,
        records_joined.has_been_reached,
        records_joined.outcome,
        records_joined.compared,
        {% for column in sync_logs.record_count_columns() %}
            records_joined.{{ column }},
        {% endfor %}
        records_joined.first_attempted_at,
        records_joined.first_added_at,
        records_joined.last_succeeded_at,
        records_joined.last_failed_at,
        records_joined.seed_entry_count + coalesce(last_events.entry_count, 0) as entry_count,
        records_joined.seed_exit_count + coalesce(last_events.exit_count, 0) as exit_count,
        coalesce(last_events.event, records_joined.seed_event) as event
    from records_joined
    left join last_events
        on
            records_joined.record_hash = last_events.record_hash
            and records_joined.organization_id = last_events.organization_id
            and records_joined.sync_id = last_events.sync_id
            and records_joined.identifier = last_events.identifier
            and records_joined.checkpoint_position = last_events.checkpoint_position
)

select
    organization_id,
    sync_id,
    identifier,
    checkpoint_position as position,
    has_been_reached,
    event.is_delivered,
    case when event.is_delivered then event.entered_at end as entered_at,
    case when event.is_delivered then event.entered_sync_run_id end as entered_sync_run_id,
    case when event.is_delivered then event.entry_observed end as entry_observed,
    event.last_event_at,
    outcome.outcome_position,
    outcome.last_sync_run_id,
    outcome.op_type,
    outcome.status,
    outcome.failed_reason,
    outcome.fields,
    outcome.canonical_operation,
    outcome.last_attempted_at,
    outcome.is_compared as is_outcome_compared,
    compared.sync_run_id as compared_sync_run_id,
    case when not outcome.is_compared then compared.fields end as compared_fields,
    {% for column in sync_logs.record_count_columns() %}
        {{ column }},
    {% endfor %}
    first_attempted_at,
    first_added_at,
    last_succeeded_at,
    last_failed_at,
    entry_count,
    exit_count
from states
{% endmacro %}

{# Counts of a record's changelog rows, which add up. #}
{% macro record_count_columns() -%}
    {{ return(['planned_count', 'succeeded_count', 'failed_count', 'aborted_count',
        'invalid_count', 'added_count', 'changed_count', 'removed_count']) }}
{%- endmacro %}

{#
  The payload of a record state that the record's next one is compared with. It is stored apart only where
  it is not that of the last outcome. Argument: states (name of a step).
#}
{% macro compared_fields(states) -%}
    case
        when {{ states }}.is_outcome_compared then {{ states }}.fields
        else {{ states }}.compared_fields
    end
{%- endmacro %}
