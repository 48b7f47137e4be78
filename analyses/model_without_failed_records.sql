{#
  What is left of your model without the records that fail in a sync? `customers` is a placeholder:
  replace it with the name of your model.
#}
{% set organization_id = '501' %}
{% set sync_id = '3001' %}
with

customers as (
    select
        'AT' as code,
        'Austria' as customer_name
    union all
    select
        'DE' as code,
        'Germany' as customer_name
    union all
    select
        'XX' as code,
        'not sent yet' as customer_name
)

select
    code,
    customer_name
from customers
where
    {{ sync_logs.exclude_failed_records(
        'customers.code', sync_id=sync_id, organization_id=organization_id
    ) }}
order by code asc
