with

memberships as (
    select * from {{ ref('sync_logs', 'audience_memberships') }}
),

events as (
    select
        *,
        'entered' as event_type,
        entered_at as event_at,
        entered_sync_run_id as sync_run_id,
        entry_observed as is_observed
    from memberships

    union all

    select
        *,
        'left' as event_type,
        exited_at as event_at,
        exited_sync_run_id as sync_run_id,
        exit_observed as is_observed
    from memberships
    where exited_sync_run_id is not null
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
    data_until_at
from events
