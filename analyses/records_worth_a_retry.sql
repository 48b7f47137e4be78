{# Which records would probably be accepted now if they were sent again? #}
{% set organization_id = '501' %}
with

records as (
    select * from {{ ref('records_to_retry') }}
    where organization_id = '{{ organization_id }}'
)

select
    sync_id,
    row_id,
    retry_reason,
    last_failed_at,
    repaired_at,
    last_failure_reason
from records
order by last_failed_at desc, sync_id asc, row_id asc
