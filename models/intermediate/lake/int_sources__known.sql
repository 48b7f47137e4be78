{#
  The source of each organisation. A source that is no longer in the settings stays as it was
  committed, because its runs stay.
#}
{% set columns = (['organization_id'] + sync_logs.source_fact_names()) | join(', ') %}
with

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

committed_sources as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('sources')) }}
),

sources_found as (
    {{ sync_logs.sources_found('files_planned') }}
),

sources_together as (
    select
        {{ columns }},
        true as is_found
    from sources_found

    union all

    select
        {{ columns }},
        false as is_found
    from committed_sources
),

sources_ranked as (
    select
        *,
        row_number() over (partition by organization_id order by is_found desc) as source_rank
    from sources_together
)

select {{ columns }}
from sources_ranked
where source_rank = 1
