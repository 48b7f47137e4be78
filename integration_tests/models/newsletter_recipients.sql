{#
  The source of the newsletter: without customers whom the destination refuses for good, until they
  take another plan than the one that was refused.
#}
with

customers as (
    select * from {{ ref('customers_now') }}
)

select
    customer_id,
    city
from customers
where
    {{ sync_logs.exclude_failed_records(
        'customers.customer_id', sync_id='10', permanent_only=true,
        release_when_changed=['customers.plan']
    ) }}
