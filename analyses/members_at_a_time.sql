{# Who was in an audience at a given time? #}
{% set organization_id = '501' %}
{% set sync_id = '3003' %}
{% set at = '2026-10-07T12:00:00Z' %}
with

members as (
    {{ sync_logs.members_at(at, sync_id=sync_id, organization_id=organization_id) }}
)

select
    audience_name,
    row_id,
    entered_at,
    entered_sync_run_id,
    entry_observed
from members
order by entered_at desc, row_id asc
