{#
  One row per load, organisation, kind and id: the last row of the last file by name. Names that the
  user gives come last.
#}
{{ config(materialized='lazy_view') }}
with

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where file_kind = 'fact' and issue is null
),

facts_landed as (
    select * from {{ ref('int_facts__landed') }}
),

facts_recovered as (
    select * from {{ ref('int_facts__recovered') }}
),

facts_received as (
    select * from {{ ref('int_facts__received') }}
),

{% set columns = ['load_id', 'organization_id', 'file_name', 'row_index', 'fact_type', 'id', 'type',
    'name', 'model_id', 'business_object_id', 'filter_segment_id', 'cohort_id'] %}
facts_read as (
    {% for step in ['facts_landed', 'facts_recovered', 'facts_received'] %}
        select
            {% for column in columns %}
                {{ column }},
            {% endfor %}
            {{ (step == 'facts_received') | lower }} as is_of_table
        from {{ step }}
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
),

{% set rows_of_id -%}
    partition by
        files_landed.load_id,
        facts_read.fact_type,
        facts_read.organization_id,
        -- lets a filter on it reach the tables; an organisation has files or tables
        facts_read.is_of_table,
        facts_read.id
    order by
        facts_read.file_name = 'names' asc,
        facts_read.file_name desc,
        facts_read.row_index desc
{%- endset %}
facts_ranked as (
    select
        files_landed.load_id,
        {% for column in columns if column != 'load_id' %}
            facts_read.{{ column }},
        {% endfor %}
        facts_read.is_of_table,
        files_landed.source_name,
        files_landed.vendor,
        row_number() over (
            {{ rows_of_id }}
        ) as recency_rank,
        -- a row without a name is no answer to what something is called
        {% for column in ['name', 'type'] %}
            first_value(facts_read.{{ column }}, true) over (
                {{ rows_of_id }} rows between unbounded preceding and unbounded following
            ) as first_{{ column }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from facts_read
    inner join files_landed
        on
            facts_read.load_id = files_landed.landed_load_id
            and facts_read.organization_id = files_landed.organization_id
            and facts_read.file_name = files_landed.file_name
    where facts_read.id is not null
)

select * from facts_ranked
where recency_rank = 1
