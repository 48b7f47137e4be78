with

facts as (
    select * from {{ ref('int_facts__live') }}
)

select
    id,
    type,
    name,
    organization_id
from facts
where fact_type = 'destinations'
