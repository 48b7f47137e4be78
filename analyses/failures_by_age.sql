{# Which records have failed longest, and why? #}
{% set organization_id = '501' %}
with

failures as (
    select * from {{ ref('record_failures') }}
    where organization_id = '{{ organization_id }}' and is_open
)

select
    sync_id,
    row_id,
    started_at,
    failed_run_count,
    runs_without_attempt,
    last_failure_reason
from failures
order by started_at asc, sync_id asc, row_id asc
