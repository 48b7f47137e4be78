{#
  Query: rows that only one of two queries has, all values as texts, null as a dash.
  Arguments: actual (query), expected (query), columns (list of names that both have).
#}
{% macro differing_rows(actual, expected, columns) -%}
    {%- set sides = {'missing': [expected, actual], 'unexpected': [actual, expected]} -%}
    {% for side, queries in sides.items() %}
        select '{{ side }}' as difference, differing.*
        from (
            {% for query in queries %}
                select
                    {% for column in columns -%}
                        coalesce(cast({{ column }} as string), '-') as {{ column }} {{- ',' if not loop.last }}
                    {% endfor %}
                from ({{ query }})
                {% if not loop.last %} except all {% endif %}
            {% endfor %}
        ) as differing
        {% if not loop.last %} union all {% endif %}
    {% endfor %}
{%- endmacro %}

{#
  Query: how a table of the package differs from the expected rows after this build.
  Arguments: name (of the table), columns (list).
#}
{% macro differing_from_expected(name, columns) -%}
    {%- set actual -%} select * from {{ ref('sync_logs', name) }} {%- endset -%}
    {%- set expected -%}
        select * from {{ ref('expected__' ~ name) }} where build = '{{ var('expected_build') }}'
    {%- endset -%}
    {{ differing_rows(actual, expected, columns) }}
{%- endmacro %}
