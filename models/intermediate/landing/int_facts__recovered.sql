{# Rows of fact files with other physical types than declared, which the landing skipped. #}
{% set groups = sync_logs.recovery_groups('fact') %}
{% if not groups %}{% do sync_logs.nothing_to_load() %}{% endif %}
with

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

facts_landed as (
    select * from {{ ref('int_facts__landed') }}
)

select
    fact_type,
    organization_id,
    file_name,
    row_index,
    id,
    type,
    name,
    model_id,
    business_object_id,
    filter_segment_id,
    cohort_id
from facts_landed
where false
{% for group in groups %}
    union all

    select
        regexp_extract(
            files_planned.file_name, '^(source_objects|destinations|destination_objects)', 1
        ) as fact_type,
        files_planned.organization_id,
        files_planned.file_name,
        decoded.row_index,
        decoded.id,
        decoded.type,
        decoded.name,
        decoded.model_id,
        decoded.business_object_id,
        decoded.filter_segment_id,
        decoded.cohort_id
    from (
        select
            _metadata.file_path,
            {% for name, type in group.types.items() %}
                {{ sync_logs.recovered_column(name, type) }} as {{ name }},
            {% endfor %}
            _metadata.row_index
        from {{ group.relation }}
        where {{ group.condition }}
    ) as decoded
    inner join files_planned
        on decoded.file_path = files_planned.file_path
{% endfor %}
