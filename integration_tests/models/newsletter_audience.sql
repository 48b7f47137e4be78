{# Customers who are to get the newsletter: Lisbon has one of its own. #}
with

customers as (
    select * from {{ ref('customers_now') }}
)

select
    customer_id,
    plan
from customers
where city != 'Lisbon'
