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
    facts.organization_id,
    sources.shown.*
from facts
left join sources
    on facts.organization_id = sources.organization_id
where facts.fact_type = 'destinations'
