{# Customers whose last newsletter is worth another attempt, and what to send. #}
with

records_to_retry as (
    select * from {{ ref('sync_logs', 'records_to_retry') }}
    where sync_id = '10'
)

select
    row_id as customer_id,
    retry_reason,
    fields
from records_to_retry
