{# When was a record sent, with which operation, and with what result? #}
{% set organization_id = '501' %}
{% set sync_id = '3001' %}
{% set row_id = 'AS' %}
with

changelog as (
    select * from {{ ref('sync_changelog') }}
    where
        organization_id = '{{ organization_id }}'
        and sync_id = '{{ sync_id }}'
        and row_id = '{{ row_id }}'
),

runs as (
    select * from {{ ref('sync_runs') }}
)

select
    runs.run_position,
    changelog.sync_run_id,
    coalesce(changelog.attempted_at, runs.order_at) as sent_at,
    changelog.op_type,
    changelog.status,
    changelog.failure_reason
from changelog
left join runs
    on
        changelog.organization_id = runs.organization_id
        and changelog.sync_id = runs.sync_id
        and changelog.sync_run_id = runs.sync_run_id
order by runs.run_position desc, changelog.changelog_id asc
