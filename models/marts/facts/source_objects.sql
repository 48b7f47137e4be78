with

facts as (
    select * from {{ sync_logs.of_committed(ref('int_facts__known')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
)

select
    facts.id,
    facts.type,
    facts.name,
    facts.model_id,
    facts.business_object_id,
    facts.filter_segment_id,
    facts.cohort_id,
    facts.organization_id,
    sources.shown.*
from facts
left join sources
    on facts.organization_id = sources.organization_id
where facts.fact_type = 'source_objects'
