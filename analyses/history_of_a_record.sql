{# When was a record first added and last updated, how often, and with what result? #}
{% set organization_id = '501' %}
{% set row_id = 'AS' %}
with

histories as (
    select * from {{ ref('record_history') }}
    where
        organization_id = '{{ organization_id }}'
        and row_id = '{{ row_id }}'
)

select
    sync_id,
    first_added_at,
    last_succeeded_at,
    last_failed_at,
    attempted_count,
    succeeded_count,
    failed_count,
    status,
    is_delivered
from histories
order by sync_id asc
