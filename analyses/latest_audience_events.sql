{# The latest entries into and exits from the audience that changes most. #}
with

memberships as (
    select * from {{ ref('audience_memberships') }}
),

events as (
    select
        organization_id,
        sync_id,
        audience_name,
        row_id,
        'entered' as event,
        entered_at as event_at,
        entered_sync_run_id as sync_run_id,
        entry_observed as is_observed
    from memberships
    where entered_sync_run_id is not null

    union all

    select
        organization_id,
        sync_id,
        audience_name,
        row_id,
        'left' as event,
        exited_at as event_at,
        exited_sync_run_id as sync_run_id,
        exit_observed as is_observed
    from memberships
    where exited_sync_run_id is not null
),

audiences_counted as (
    select
        organization_id,
        sync_id,
        count_if(event = 'left') as exit_count
    from events
    where is_observed
    group by organization_id, sync_id
),

audiences_ranked as (
    select
        *,
        row_number() over (
            order by exit_count desc, organization_id asc, sync_id asc
        ) as audience_rank
    from audiences_counted
)

select
    events.audience_name,
    events.row_id,
    events.event,
    events.event_at,
    events.sync_run_id
from events
inner join audiences_ranked
    on
        events.organization_id = audiences_ranked.organization_id
        and events.sync_id = audiences_ranked.sync_id
where audiences_ranked.audience_rank = 1
order by events.event_at desc, events.row_id asc, events.event asc
limit 8
