{#
  How many rows were rejected with each message, including retries? Invalid rows were never sent, so
  no log of what was sent contains them. This query shows them with the rejected ones.
#}
{% set organization_id = '501' %}
with

records as (
    select * from {{ ref('sync_records') }}
    where
        organization_id = '{{ organization_id }}'
        and record_status in ('failed', 'invalid_null_key', 'invalid_duplicate_key')
)

select
    record_status,
    status_message,
    count(*) as attempt_count,
    -- each row without a key is a record of its own
    count(distinct sync_id, identifier) + count_if(identifier is null) as record_count,
    count(distinct sync_id, sync_run_id) as run_count,
    max(batch_ended_at) as last_seen_at
from records
group by record_status, status_message
order by attempt_count desc, record_status asc, status_message asc
