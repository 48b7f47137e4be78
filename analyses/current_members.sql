{# Who is in an audience now, and since when? #}
{% set organization_id = '501' %}
{% set sync_id = '3003' %}
with

members as (
    select * from {{ ref('audience_members') }}
    where
        organization_id = '{{ organization_id }}'
        and sync_id = '{{ sync_id }}'
)

select
    audience_name,
    row_id,
    entered_at,
    entered_sync_run_id,
    entry_observed
from members
order by entered_at desc, row_id asc
