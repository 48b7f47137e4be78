{# What did a sync do on each day, including days without a run? #}
{% set organization_id = '501' %}
{% set sync_id = '3003' %}
with

activity as (
    select * from {{ ref('sync_activity_daily') }}
    where
        organization_id = '{{ organization_id }}'
        and sync_id = '{{ sync_id }}'
)

select
    activity_date,
    run_count,
    attempted_count,
    succeeded_count,
    failed_count,
    added_count,
    changed_count,
    removed_count,
    entry_count,
    exit_count
from activity
order by activity_date desc
