{# The source of the newsletter: customers that the destination does not currently refuse. #}
with

customers as (
    select * from {{ ref('customers') }}
)

select
    customer_id,
    city
from customers
where {{ sync_logs.exclude_failed_records('customers.customer_id', sync_id='10') }}
