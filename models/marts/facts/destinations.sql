with

facts as (
    select * from {{ sync_logs.of_committed(ref('int_facts__known')) }}
)

select
    id,
    type,
    name,
    organization_id,
    source_name,
    vendor
from facts
where fact_type = 'destinations'
