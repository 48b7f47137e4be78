with

facts as (
    select * from {{ ref('int_facts__live') }}
)

select
    id,
    type,
    name,
    organization_id,
    source_name,
    vendor
from facts
where fact_type = 'destination_objects'
