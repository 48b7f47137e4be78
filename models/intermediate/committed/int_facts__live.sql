{# One row per organisation, kind and id: the last row of the last file by name. #}
{{ config(materialized='lazy_view') }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = (select load_current.load_id from load_current)
),

facts_landed as (
    select * from {{ ref('int_facts__landed') }}
),

facts_recovered as (
    select * from {{ ref('int_facts__recovered') }}
),

facts_read as (
    select * from facts_landed
    union all
    select * from facts_recovered
),

files_live as (
    select * from files_landed
    where file_kind = 'fact' and issue is null
),

facts_ranked as (
    select
        facts_read.*,
        files_live.source_name,
        files_live.vendor,
        row_number() over (
            partition by facts_read.fact_type, facts_read.organization_id, facts_read.id
            order by facts_read.file_name desc, facts_read.row_index desc
        ) as recency_rank
    from facts_read
    inner join files_live
        on
            facts_read.load_id = files_live.landed_load_id
            and facts_read.organization_id = files_live.organization_id
            and facts_read.file_name = files_live.file_name
    where facts_read.id is not null
)

select * from facts_ranked
where recency_rank = 1
