{#
  Named steps and the last query of a `with` list: the state of every record after certain runs, from an
  earlier state and what happened since.
  Arguments (names of steps): changelog and membership_events, the rows of the runs since; seed_states,
  the states after the run before them, none for a sync that starts from nothing; checkpoints, one row
  per sync and run asked for (organization_id, sync_id, checkpoint_position).
#}
{% macro record_states_at(changelog, membership_events, seed_states, checkpoints) %}
-- an invalid row is the outcome of a run only where the record has no better attempt in it
last_outcomes as (
    select
        changelog.organization_id,
        changelog.sync_id,
        changelog.identifier,
        checkpoints.checkpoint_position,
        bool_or(changelog.is_reached) as has_been_reached,
        max_by(
            named_struct(
                'outcome_position', changelog.position,
                'last_sync_run_id', changelog.sync_run_id,
                'op_type', changelog.op_type,
                'status', changelog.status,
                'failed_reason', changelog.failed_reason,
                'fields', changelog.fields,
                'canonical_operation', changelog.canonical_operation,
                'last_attempted_at', coalesce(changelog.batch_ended_at, changelog.order_at)
            ),
            struct(
                changelog.position,
                changelog.record_status not in ('invalid_null_key', 'invalid_duplicate_key'),
                changelog.batch_ended_at,
                changelog.batch_number,
                changelog.file_name,
                changelog.row_index
            )
        ) as outcome
    from {{ changelog }} as changelog
    inner join {{ checkpoints }} as checkpoints
        on
            changelog.organization_id = checkpoints.organization_id
            and changelog.sync_id = checkpoints.sync_id
            and changelog.position <= checkpoints.checkpoint_position
    where changelog.identifier is not null
    group by
        changelog.organization_id,
        changelog.sync_id,
        changelog.identifier,
        checkpoints.checkpoint_position
),

last_events as (
    select
        membership_events.organization_id,
        membership_events.sync_id,
        membership_events.identifier,
        checkpoints.checkpoint_position,
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
        membership_events.organization_id,
        membership_events.sync_id,
        membership_events.identifier,
        checkpoints.checkpoint_position
),

seeds_at_checkpoints as (
    select
        seed_states.*,
        checkpoints.checkpoint_position
    from {{ seed_states }} as seed_states
    inner join {{ checkpoints }} as checkpoints
        on
            seed_states.organization_id = checkpoints.organization_id
            and seed_states.sync_id = checkpoints.sync_id
),

records_joined as (
    select
        coalesce(last_outcomes.organization_id, seeds_at_checkpoints.organization_id)
            as organization_id,
        coalesce(last_outcomes.sync_id, seeds_at_checkpoints.sync_id) as sync_id,
        coalesce(last_outcomes.identifier, seeds_at_checkpoints.identifier) as identifier,
        coalesce(last_outcomes.checkpoint_position, seeds_at_checkpoints.checkpoint_position)
            as checkpoint_position,
        coalesce(last_outcomes.has_been_reached, false)
        or coalesce(seeds_at_checkpoints.has_been_reached, false) as has_been_reached,
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
                'last_attempted_at', seeds_at_checkpoints.last_attempted_at
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
            last_outcomes.organization_id = seeds_at_checkpoints.organization_id
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
        coalesce(last_events.event, records_joined.seed_event) as event
    from records_joined
    left join last_events
        on
            records_joined.organization_id = last_events.organization_id
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
    outcome.last_attempted_at
from states
{% endmacro %}
