{#
  The changelog of the replayed runs, each row with the state of its record after it. A row sets the
  state of its record (in or out, failing or not) or leaves it unchanged, and a replacing run takes out
  every record that it does not have, and ends its failure. All windows read the rows of a record in
  the same order, so none of them needs a shuffle of its own.
#}
with

final_attempts as (
    select * from {{ ref('int_attempts__final') }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

starting_states as (
    select * from {{ sync_logs.of_load(ref('int_starting_states__found')) }}
),

replacements as (
    {{ sync_logs.replacements('runs_planned') }}
),

runs_replayed as (
    select
        runs_planned.*,
        replacements.replacement as next_replacement,
        starting_replacements.replacement as first_replacement
    from runs_planned
    left join replacements
        on
            runs_planned.organization_id = replacements.organization_id
            and runs_planned.sync_id = replacements.sync_id
            and runs_planned.position = replacements.position
    left join replacements as starting_replacements
        on
            runs_planned.organization_id = starting_replacements.organization_id
            and runs_planned.sync_id = starting_replacements.sync_id
            and runs_planned.start_position = starting_replacements.position
    where runs_planned.is_replayed
),

outcomes_replayed as (
    select /*+ broadcast(runs_replayed) */
        final_attempts.*,
        {{ sync_logs.is_invalid('final_attempts.record_status') }} as is_invalid,
        coalesce(
            final_attempts.batch_ended_at, runs_replayed.rows_ended_at, runs_replayed.order_at
        ) as attempted_at,
        runs_replayed.order_at,
        -- of a source that reports times of its runs only
        runs_replayed.rows_ended_at,
        {{ sync_logs.replaced_at('runs_replayed') }} as run_ended_at,
        runs_replayed.start_position,
        runs_replayed.is_replacing,
        runs_replayed.previous_replacing_position,
        runs_replayed.first_replacement,
        runs_replayed.next_replacement
    from final_attempts
    inner join runs_replayed
        on
            final_attempts.organization_id = runs_replayed.organization_id
            and final_attempts.sync_id = runs_replayed.sync_id
            and final_attempts.position = runs_replayed.position
),

outcomes_started as (
    select
        outcomes_replayed.*,
        -- one column for everything, because every window carries it along
        case
            when starting_states.identifier is not null
                then named_struct(
                    'is_delivered', starting_states.is_delivered,
                    'has_been_reached', starting_states.has_been_reached,
                    'entry', named_struct(
                        'entered_at', starting_states.entered_at,
                        'entered_sync_run_id', starting_states.entered_sync_run_id,
                        'entry_observed', starting_states.entry_observed
                    ),
                    'payload', case
                        when starting_states.compared_sync_run_id is not null
                            then named_struct(
                                'sync_run_id', starting_states.compared_sync_run_id,
                                'fields', {{ sync_logs.compared_fields('starting_states') }}
                            )
                    end,
                    {% for column in sync_logs.record_count_columns() %}
                        '{{ column }}', starting_states.{{ column }},
                    {% endfor %}
                    'failure', starting_states.failure,
                    'last_failure_pattern', starting_states.last_failure_pattern,
                    'last_failed_with_batch', starting_states.last_failed_with_batch,
                    'first_attempted_at', starting_states.first_attempted_at,
                    'first_added_at', starting_states.first_added_at,
                    'last_succeeded_at', starting_states.last_succeeded_at,
                    'last_failed_at', starting_states.last_failed_at,
                    'last_event_at', starting_states.last_event_at
                )
        end as starting_state
    from outcomes_replayed
    left join starting_states
        on
            outcomes_replayed.organization_id = starting_states.organization_id
            and outcomes_replayed.sync_id = starting_states.sync_id
            and outcomes_replayed.record_key = starting_states.identifier
            and outcomes_replayed.identifier is not null
),

late_starts_found as (
    select
        *,
        is_begun_as_member
        and not coalesce(starting_state.has_been_reached, false)
        and previous_replacing_position is null as is_late_start
    from outcomes_started
),

states_set as (
    select
        *,
        -- only the final attempt sets the state, never an invalid row or one without a key
        case
            when not is_keyed or is_invalid then null
            when delivers is not null then delivers
            when is_replacing then false
            when is_late_start then true
        end as sets_delivered,
        case when is_outcome and status in ('succeeded', 'failed') then status = 'failed' end
            as sets_failing
    from late_starts_found
),

{% set rows_of_record -%}
    partition by organization_id, sync_id, record_key
    order by {{ sync_logs.changelog_order('is_invalid') }}
{%- endset %}
{% set before = rows_of_record ~ ' rows between unbounded preceding and 1 preceding' %}
{% set until_now = rows_of_record ~ ' rows between unbounded preceding and current row' %}
{% set state_set -%}
    case
        when sets_delivered is not null
            then named_struct(
                'position', position, 'is_delivered', sets_delivered, 'replacement', next_replacement
            )
    end
{%- endset %}
{% set failing_set -%}
    case
        when sets_failing is not null
            then named_struct(
                'position', position, 'is_failing', sets_failing, 'replacement', next_replacement
            )
    end
{%- endset %}
states_carried as (
    select
        *,
        lead(position) over ({{ rows_of_record }}) as next_position,
        last_value({{ failing_set }}, true) over ({{ before }}) as failing_set_before,
        last_value({{ state_set }}, true) over ({{ before }}) as set_before,
        last_value({{ state_set }}, true) over ({{ until_now }}) as set_by_now
    from states_set
),

states_before as (
    select
        *,
        coalesce(set_before.is_delivered, starting_state.is_delivered, false) as was_set_delivered,
        case when set_before is null then first_replacement else set_before.replacement end
            as replacement_since,
        coalesce(failing_set_before.is_failing, starting_state.failure is not null)
            as was_set_failing,
        case
            when failing_set_before is null then first_replacement
            else failing_set_before.replacement
        end as replacement_since_failing
    from states_carried
),

states_known as (
    select
        *,
        case
            when not is_keyed then false
            when is_late_start then true
            else was_set_delivered and coalesce(replacement_since.position >= position, true)
        end as was_delivered,
        -- the replacing run that took the record out before this row
        case
            when
                sets_delivered is not null
                and was_set_delivered
                and replacement_since.position < position
                then replacement_since
        end as replaced_by,
        -- likewise, the one that ended the failure of the record
        case
            when
                sets_failing is not null
                and was_set_failing
                and replacement_since_failing.position < position
                then replacement_since_failing
        end as failure_replaced_by
    from states_before
),

{% set payload_hash = 'case when fields is not null then xxhash64(fields) end' %}
{% set hash_before = 'failure_before.last.payload_hash' %}
events_found as (
    select
        *,
        case
            when reported_op_type = 'vanished' then 'removed'
            when reported_op_type is not null then reported_op_type
            when canonical_operation = 'delete' then 'removed'
            when canonical_operation = 'append' then 'added'
            when was_delivered then 'changed'
            else 'added'
        end as op_type,
        coalesce(sets_delivered and not was_delivered, false) as is_entry,
        coalesce(not sets_delivered and was_delivered, false) as is_exit,
        is_late_start and sets_delivered is not null as is_late_entry,
        coalesce(sets_failing and (not was_set_failing or failure_replaced_by is not null), false)
            as is_failure_start,
        coalesce(not sets_failing and was_set_failing and failure_replaced_by is null, false)
            as is_failure_end,
        -- a delete has no information about fields, and what was not sent has changed nothing
        is_keyed
        and record_status in ('succeeded', 'failed')
        and canonical_operation != 'delete' as is_compared,
        case
            when sets_delivered is null or sets_delivered = was_delivered then null
            when delivers is not null then coalesce(delivered_at, rows_ended_at, order_at)
            -- rejected in a replacing run
            else run_ended_at
        end as own_event_at
    from states_known
),

{% set counted = {
    'planned_count': 'true',
    'succeeded_count': "status = 'succeeded'",
    'failed_count': "status = 'failed'",
    'aborted_count': "status = 'aborted'",
    'invalid_count': 'is_invalid',
    'added_count': "status = 'succeeded' and op_type = 'added'",
    'changed_count': "status = 'succeeded' and op_type = 'changed'",
    'removed_count': "status = 'succeeded' and op_type = 'removed'",
    'failure_count': 'is_failure_start',
    'failed_outcome_count': 'sets_failing',
    'entry_count': 'is_entry or is_late_entry',
    'exit_count': 'is_exit or replaced_by is not null'} %}
records_followed as (
    select
        *,
        -- event times of a record never go backwards
        greatest(
            starting_state.last_event_at,
            max(greatest(replaced_by.ended_at, own_event_at)) over ({{ before }}),
            replaced_by.ended_at
        ) as replaced_at,
        greatest(
            starting_state.last_event_at,
            max(greatest(replaced_by.ended_at, own_event_at)) over ({{ until_now }})
        ) as last_event_at,
        coalesce(starting_state.has_been_reached, false)
        or bool_or(is_reached) over ({{ until_now }}) as has_been_reached,
        {% for column, condition in counted.items() %}
            coalesce(starting_state.{{ column }}, 0)
            + count_if({{ condition }}) over ({{ until_now }}) as {{ column }},
        {% endfor %}
        least(starting_state.first_attempted_at, min(attempted_at) over ({{ until_now }}))
            as first_attempted_at,
        least(
            starting_state.first_added_at,
            min(case when status = 'succeeded' and op_type = 'added' then attempted_at end)
                over ({{ until_now }})
        ) as first_added_at,
        greatest(
            starting_state.last_succeeded_at,
            max(case when status = 'succeeded' then attempted_at end) over ({{ until_now }})
        ) as last_succeeded_at,
        greatest(
            starting_state.last_failed_at,
            max(case when status = 'failed' then attempted_at end) over ({{ until_now }})
        ) as last_failed_at,
        coalesce(
            last_value(
                case
                    when is_compared
                        then named_struct('sync_run_id', sync_run_id, 'fields', fields)
                end,
                true
            ) over ({{ until_now }}),
            starting_state.payload
        ) as payload
    from events_found
),

entries_found as (
    select
        *,
        case
            when is_entry
                then named_struct(
                    'entered_at', last_event_at,
                    'entered_sync_run_id', sync_run_id,
                    'entry_observed', position > 1 and delivering_operation != 'update'
                )
            -- a late entry belongs to no run
            when is_late_entry
                then named_struct(
                    'entered_at', cast(null as timestamp),
                    'entered_sync_run_id', cast(null as string),
                    'entry_observed', false
                )
        end as own_entry,
        case
            when sets_failing
                then named_struct(
                    'number', failed_outcome_count,
                    'position', position,
                    'sync_run_id', sync_run_id,
                    'attempted_at', attempted_at,
                    'reason', failed_reason,
                    'payload_hash', {{ payload_hash }},
                    'was_delivered', was_delivered,
                    'last_succeeded_at', last_succeeded_at
                )
        end as failed_outcome
    from records_followed
),

entries_carried as (
    select
        *,
        coalesce(last_value(own_entry, true) over ({{ before }}), starting_state.entry)
            as entry_before,
        coalesce(last_value(own_entry, true) over ({{ until_now }}), starting_state.entry)
            as entry,
        coalesce(
            last_value(case when is_failure_start then failed_outcome end, true)
                over ({{ before }}),
            starting_state.failure.first
        ) as first_failed_before,
        coalesce(
            last_value(failed_outcome, true) over ({{ before }}), starting_state.failure.last
        ) as last_failed_before,
        coalesce(
            last_value(
                case
                    when sets_failing
                        then struct(failure_pattern as pattern, failed_with_batch as with_batch)
                end,
                true
            ) over ({{ before }}),
            struct(
                starting_state.last_failure_pattern as pattern,
                starting_state.last_failed_with_batch as with_batch
            )
        ) as last_cause_before
    from entries_found
),

failures_followed as (
    select
        *,
        case
            when was_set_failing
                then named_struct(
                    'number', failure_count - if(is_failure_start, 1, 0),
                    'first', first_failed_before,
                    'last', last_failed_before
                )
        end as failure_before
    from entries_carried
),

memberships_ended as (
    select
        *,
        case
            when replaced_by is not null
                then named_struct(
                    'entered_at', entry_before.entered_at,
                    'entered_sync_run_id', entry_before.entered_sync_run_id,
                    'entry_observed', entry_before.entry_observed,
                    'exited_at', replaced_at,
                    'exited_sync_run_id', replaced_by.sync_run_id,
                    'exit_observed', false
                )
            when is_exit
                then named_struct(
                    'entered_at', entry.entered_at,
                    'entered_sync_run_id', entry.entered_sync_run_id,
                    'entry_observed', entry.entry_observed,
                    'exited_at', last_event_at,
                    'exited_sync_run_id', sync_run_id,
                    -- no row of the log says that a vanished record has left
                    'exit_observed', delivers is not null
                    and reported_op_type is distinct from 'vanished'
                )
        end as ended_membership,
        case
            when is_failure_end or failure_replaced_by is not null
                then named_struct(
                    'failure', failure_before,
                    'ended_at', greatest(
                        failure_before.first.attempted_at,
                        failure_before.last.attempted_at,
                        if(is_failure_end, attempted_at, failure_replaced_by.ended_at)
                    ),
                    'ended_sync_run_id',
                    if(is_failure_end, sync_run_id, failure_replaced_by.sync_run_id),
                    'ended_by', case
                        when not is_failure_end or reported_op_type = 'vanished' then 'replaced'
                        when canonical_operation = 'delete' then 'removed'
                        else 'succeeded'
                    end,
                    'payload_changed', case
                        when
                            is_failure_end
                            and canonical_operation != 'delete'
                            and coalesce({{ payload_hash }}, {{ hash_before }}) is not null
                            then {{ payload_hash }} is distinct from {{ hash_before }}
                    end
                )
        end as ended_failure,
        case
            when sets_failing
                then named_struct(
                    'number', failure_count,
                    'first', if(is_failure_start, failed_outcome, first_failed_before),
                    'last', failed_outcome
                )
            when sets_failing is null then failure_before
        end as failure,
        if(sets_failing, failure_pattern, last_cause_before.pattern) as last_failure_pattern,
        if(sets_failing, failed_with_batch, last_cause_before.with_batch) as last_failed_with_batch
    from failures_followed
)

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    record_key,
    file_name,
    batch_number,
    row_index,
    canonical_operation,
    record_status,
    coalesce(batch_ended_at, rows_ended_at) as batch_ended_at,
    fields,
    reported_split_group,
    status,
    failed_reason,
    failure_pattern,
    op_type,
    position,
    attempted_at,
    is_compared,
    is_late_start,
    was_delivered,
    sets_delivered,
    is_entry,
    is_late_entry,
    -- the membership that ended with this row, or before it because of a replacing run
    ended_membership.entered_at as ended_entered_at,
    ended_membership.entered_sync_run_id as ended_entered_sync_run_id,
    ended_membership.entry_observed as ended_entry_observed,
    ended_membership.exited_at,
    ended_membership.exited_sync_run_id,
    ended_membership.exit_observed,
    -- likewise, the failure that ended
    ended_failure.failure as ended_failure,
    ended_failure.ended_at as failure_ended_at,
    ended_failure.ended_sync_run_id as failure_ended_sync_run_id,
    ended_failure.ended_by as failure_ended_by,
    ended_failure.payload_changed,
    case when ended_failure is not null then last_cause_before.pattern end
        as ended_failure_pattern,
    case
        when ended_failure is not null
            then coalesce(not ended_failure.payload_changed and last_cause_before.with_batch, false)
    end as ended_as_bystander,
    failure,
    last_failure_pattern,
    last_failed_with_batch,
    next_position,
    coalesce(set_by_now.position, start_position) as delivered_position,
    coalesce(set_by_now.is_delivered, starting_state.is_delivered, false) as is_delivered,
    entry.entered_at,
    entry.entered_sync_run_id,
    entry.entry_observed,
    last_event_at,
    has_been_reached,
    payload.sync_run_id as compared_sync_run_id,
    case when not is_compared then payload.fields end as compared_fields,
    {{ sync_logs.record_count_columns() | join(',\n    ') }},
    first_attempted_at,
    first_added_at,
    last_succeeded_at,
    last_failed_at
from memberships_ended
{{ sync_logs.search_order('memberships_ended', 'record_key') }}
