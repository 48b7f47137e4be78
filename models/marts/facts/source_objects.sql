with

facts as (
    select * from {{ sync_logs.of_committed(ref('int_facts__known')) }}
)

select
    id,
    type,
    name,
    model_id,
    business_object_id,
    filter_segment_id,
    cohort_id,
    organization_id,
    source_name,
    vendor
from facts
where fact_type = 'source_objects'
