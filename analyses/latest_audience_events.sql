{# Who entered and who left an audience, latest first? It shows the audience with the most exits. #}
with

events as (
    select * from {{ ref('audience_events') }}
),

memberships as (
    select * from {{ ref('audience_memberships') }}
),

audiences_counted as (
    select
        organization_id,
        sync_id,
        count(*) as exit_count
    from memberships
    where exit_observed
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
    events.event_type,
    events.event_at,
    events.sync_run_id
from events
inner join audiences_ranked
    on
        events.organization_id = audiences_ranked.organization_id
        and events.sync_id = audiences_ranked.sync_id
-- an entry from before the log began has no run
where audiences_ranked.audience_rank = 1 and events.sync_run_id is not null
order by events.event_at desc, events.row_id asc, events.event_type asc
