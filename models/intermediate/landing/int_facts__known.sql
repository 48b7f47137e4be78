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

{% set columns = ['organization_id', 'file_name', 'row_index', 'fact_type', 'id', 'type', 'name',
    'model_id', 'business_object_id', 'filter_segment_id', 'cohort_id'] %}
{% set rows_of_id -%}
    partition by
        files_landed.load_id,
        facts_landed.fact_type,
        facts_landed.organization_id,
        -- lets a filter on it reach the tables; an organisation has files or tables
        coalesce(facts_landed.is_of_table, false),
        facts_landed.id
    order by
        facts_landed.file_name = 'names' asc,
        facts_landed.file_name desc,
        facts_landed.row_index desc
{%- endset %}
facts_ranked as (
    select
        files_landed.load_id,
        {% for column in columns %}
            facts_landed.{{ column }},
        {% endfor %}
        -- null in a state from before the column existed
        coalesce(facts_landed.is_of_table, false) as is_of_table,
        row_number() over (
            {{ rows_of_id }}
        ) as recency_rank,
        -- a row without a name is no answer to what something is called
        {% for column in ['name', 'type'] %}
            first_value(facts_landed.{{ column }}, true) over (
                {{ rows_of_id }} rows between unbounded preceding and unbounded following
            ) as first_{{ column }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from facts_landed
    inner join files_landed
        on
            facts_landed.load_id = files_landed.landed_load_id
            and facts_landed.organization_id = files_landed.organization_id
            and facts_landed.file_name = files_landed.file_name
    where facts_landed.id is not null
)

select * from facts_ranked
where recency_rank = 1
