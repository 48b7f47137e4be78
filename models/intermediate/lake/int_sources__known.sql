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
)

select {{ columns }} from sources_found

union all

select {{ columns }} from committed_sources
where not exists (
    select 1 from sources_found
    where sources_found.organization_id <=> committed_sources.organization_id
)
