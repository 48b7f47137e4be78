{# Entries into and exits from the delivered state, in the replayed runs. #}
with

changelog as (
    select * from {{ ref('int_changelog__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

seed_states as (
    select * from {{ ref('int_seed_states__chosen') }}
),

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

-- one row per record and run that sets the state
states as (
    select
        organization_id,
        sync_id,
        identifier,
        position,
        next_replacing_position,
        sync_run_id,
        is_replacing,
        was_delivered,
        sets_delivered,
        is_late_start,
        delivers,
        coalesce(delivered_at, order_at) as delivered_at,
        delivering_operation
    from changelog
    where sets_delivered is not null
),

-- nothing but a replacing run moves a record that the replay does not touch
seeds_replaced as (
    select
        seed_states.organization_id,
        seed_states.sync_id,
        seed_states.identifier,
        seed_states.position,
        runs_planned.next_replacing_position,
        true as sets_delivered
    from seed_states
    inner join runs_planned
        on
            seed_states.organization_id = runs_planned.organization_id
            and seed_states.sync_id = runs_planned.sync_id
            and seed_states.position = runs_planned.position
    where seed_states.is_delivered and runs_planned.next_replacing_position is not null
),

-- up to the last replacing run of a sync: the states after it, mostly all of them, need no sorting
states_replaceable as (
    select
        organization_id,
        sync_id,
        identifier,
        position,
        next_replacing_position,
        sets_delivered
    from states
    where is_replacing or next_replacing_position is not null

    union all

    select * from seeds_replaced
),

states_hashed as (
    select
        *,
        {{ sync_logs.record_hash('states_replaceable') }} as record_hash
    from states_replaceable
),

states_followed as (
    select
        *,
        lead(position) over (
            partition by record_hash, organization_id, sync_id, identifier
            order by position asc
        ) as next_set_position
    from states_hashed
),

late_entries as (
    select
        organization_id,
        sync_id,
        identifier,
        position,
        1 as sequence_number,
        true as is_entry,
        false as is_observed,
        cast(null as string) as sync_run_id,
        cast(null as timestamp) as own_event_at
    from states
    where is_late_start
),

own_events as (
    select
        organization_id,
        sync_id,
        identifier,
        position,
        2 as sequence_number,
        sets_delivered as is_entry,
        case
            when sets_delivered then position > 1 and delivering_operation != 'update'
            else delivers is not null
        end as is_observed,
        sync_run_id,
        case when delivers is not null then delivered_at end as own_event_at,
        is_replacing and delivers is null as is_replaced
    from states
    where sets_delivered != was_delivered
),

-- gone with a replacing run: rejected in it, or without any attempt in it
replaced_exits as (
    select
        organization_id,
        sync_id,
        identifier,
        position
    from own_events
    where is_replaced

    union all

    select
        organization_id,
        sync_id,
        identifier,
        next_replacing_position as position
    from states_followed
    where
        sets_delivered
        and next_replacing_position is not null
        and (next_set_position is null or next_set_position > next_replacing_position)
),

replaced_exits_timed as (
    select
        replaced_exits.organization_id,
        replaced_exits.sync_id,
        replaced_exits.identifier,
        replaced_exits.position,
        2 as sequence_number,
        false as is_entry,
        false as is_observed,
        runs_planned.sync_run_id,
        coalesce(runs_planned.last_batch_ended_at, runs_planned.order_at) as own_event_at
    from replaced_exits
    inner join runs_planned
        on
            replaced_exits.organization_id = runs_planned.organization_id
            and replaced_exits.sync_id = runs_planned.sync_id
            and replaced_exits.position = runs_planned.position
),

events as (
    select * from late_entries

    union all

    select
        organization_id,
        sync_id,
        identifier,
        position,
        sequence_number,
        is_entry,
        is_observed,
        sync_run_id,
        own_event_at
    from own_events
    where not is_replaced

    union all

    select * from replaced_exits_timed
),

events_hashed as (
    select
        *,
        {{ sync_logs.record_hash('events') }} as record_hash
    from events
),

events_timed as (
    select
        events.*,
        -- event times of a record never go back
        greatest(
            max(events.own_event_at) over (
                partition by
                    events.record_hash, events.organization_id, events.sync_id, events.identifier
                order by events.position asc, events.sequence_number asc
                rows between unbounded preceding and current row
            ),
            seed_states.last_event_at
        ) as latest_event_at
    from events_hashed as events
    left join seed_states
        on
            events.organization_id = seed_states.organization_id
            and events.sync_id = seed_states.sync_id
            and events.identifier = seed_states.identifier
)

select
    organization_id,
    sync_id,
    identifier,
    position,
    sequence_number,
    is_entry,
    is_observed,
    sync_run_id,
    case when sync_run_id is not null then latest_event_at end as event_at,
    latest_event_at
from events_timed
