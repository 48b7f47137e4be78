{# Customers as they are before a build: c5 takes another plan after the first one. #}
with

customers as (
    select * from {{ ref('customers') }}
    where build <= {{ var('expected_build') }}
)

select
    customer_id,
    max_by(city, build) as city,
    max_by(plan, build) as plan
from customers
group by customer_id
