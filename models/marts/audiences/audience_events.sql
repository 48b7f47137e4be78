with

memberships as (
    select * from {{ ref('sync_logs', 'audience_memberships') }}
),

events as (
    select *
    from memberships
        lateral view stack(
            2,
            'entered', entered_at, entered_sync_run_id, entry_observed,
            'left', exited_at, exited_sync_run_id, exit_observed
        ) moves as event_type, event_at, sync_run_id, is_observed
)

select
    sync_id,
    row_id,
    audience_name,
    event_type,
    event_at,
    sync_run_id,
    is_observed,
    organization_id,
    data_until_at,
    source_name,
    vendor
from events
-- an open membership has no exit yet
where event_type = 'entered' or sync_run_id is not null
