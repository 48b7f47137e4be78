{# Intervals of delivered state that ended in the replayed runs. Open ones are in the states. #}
with

membership_events as (
    select * from {{ ref('int_membership_events__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

seed_states as (
    select * from {{ ref('int_seed_states__chosen') }}
),

events_hashed as (
    select
        *,
        {{ sync_logs.record_hash('membership_events') }} as record_hash
    from membership_events
),

events_paired as (
    select
        *,
        lag(named_struct(
            'entered_at', event_at,
            'entered_sync_run_id', sync_run_id,
            'entry_observed', is_observed
        )) over (
            partition by record_hash, organization_id, sync_id, identifier
            order by position asc, sequence_number asc
        ) as entry
    from events_hashed
),

exits as (
    select
        events_paired.*,
        coalesce(
            events_paired.entry,
            named_struct(
                'entered_at', seed_states.entered_at,
                'entered_sync_run_id', seed_states.entered_sync_run_id,
                'entry_observed', seed_states.entry_observed
            )
        ) as paired_entry
    from events_paired
    left join seed_states
        on
            events_paired.organization_id = seed_states.organization_id
            and events_paired.sync_id = seed_states.sync_id
            and events_paired.identifier = seed_states.identifier
    where not events_paired.is_entry
)

select
    organization_id,
    sync_id,
    identifier,
    paired_entry.entered_at,
    event_at as exited_at,
    paired_entry.entered_sync_run_id,
    sync_run_id as exited_sync_run_id,
    paired_entry.entry_observed,
    is_observed as exit_observed
from exits
