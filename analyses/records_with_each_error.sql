{# Which records were rejected with each message, how often, and since when? #}
{% set organization_id = '501' %}
{% set sync_id = '3001' %}
with

changelog as (
    select * from {{ ref('sync_changelog') }}
    where
        organization_id = '{{ organization_id }}'
        and sync_id = '{{ sync_id }}'
        and status = 'failed'
),

snapshot as (
    select * from {{ ref('sync_snapshot') }}
),

failures_counted as (
    select
        organization_id,
        sync_id,
        failure_reason,
        row_id,
        count(*) as attempt_count,
        min(attempted_at) as first_seen_at,
        max(attempted_at) as last_seen_at
    from changelog
    group by organization_id, sync_id, failure_reason, row_id
)

select
    failures_counted.failure_reason,
    failures_counted.row_id,
    failures_counted.attempt_count,
    failures_counted.first_seen_at,
    failures_counted.last_seen_at,
    coalesce(
        snapshot.status = 'failed'
        and snapshot.failure_reason <=> failures_counted.failure_reason,
        false
    ) as is_open
from failures_counted
left join snapshot
    on
        failures_counted.organization_id = snapshot.organization_id
        and failures_counted.sync_id = snapshot.sync_id
        and failures_counted.row_id = snapshot.row_id
order by
    failures_counted.failure_reason asc,
    failures_counted.last_seen_at desc,
    failures_counted.row_id asc
