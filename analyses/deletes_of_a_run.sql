{# Which records did a run delete, and which of these deletes were rejected? #}
{% set organization_id = '501' %}
{% set sync_id = '3003' %}
{% set sync_run_id = '10058' %}
with

changelog as (
    select * from {{ ref('sync_changelog') }}
    where
        organization_id = '{{ organization_id }}'
        and sync_id = '{{ sync_id }}'
        and sync_run_id = '{{ sync_run_id }}'
        and op_type = 'removed'
)

select
    row_id,
    status,
    failure_reason,
    attempted_at
from changelog
order by status asc, row_id asc, changelog_id asc
