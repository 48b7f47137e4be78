{# Which fields of a sync cause most operations, and what would dropping or rounding one save? #}
{% set organization_id = '501' %}
with

fields as (
    select * from {{ ref('field_statistics') }}
    where organization_id = '{{ organization_id }}'
)

select
    sync_id,
    field_name,
    change_count,
    record_count,
    alone_count,
    small_alone_count,
    return_count
from fields
order by alone_count desc, change_count desc, sync_id asc, field_name asc
