{# The profiles of all runs; none in a project that runs no Python models. #}
{{ config(materialized='lazy_view') }}
{% set columns = ['organization_id', 'sync_id', 'sync_run_id', 'field_name', 'load_id'] %}
{% set counts = ['payload_count', 'present_count', 'null_count', 'string_count', 'number_count',
    'boolean_count', 'array_count', 'object_count', 'distinct_count', 'longest_text'] %}
with

profiles as (
    {% if sync_logs.runs_python_models() %}
        select * from {{ ref('int_run_fields__profiled') }}
    {% else %}
        select
            {% for column in columns %}
                cast(null as string) as {{ column }},
            {% endfor %}
            {% for count in counts %}
                cast(null as bigint) as {{ count }},
            {% endfor %}
            cast(null as double) as largest_number
        where false
    {% endif %}
)

select
    *,
    present_count - null_count as value_count,
    filter(
        array(
            {% for type in ['array', 'boolean', 'number', 'object', 'string'] %}
                case when {{ type }}_count > 0 then '{{ type }}' end
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        ),
        json_type -> json_type is not null
    ) as value_types
from profiles
