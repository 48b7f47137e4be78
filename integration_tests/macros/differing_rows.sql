{#
  Query: rows that occur more often in one of two queries. All values are cast to strings, and null
  is a dash. Each query runs once.
  Arguments: actual (query), expected (query), columns (list of names that both have).
#}
{% macro differing_rows(actual, expected, columns) -%}
    {%- set names = columns | join(', ') -%}
    select
        {{ names }},
        if(sum(surplus) > 0, 'unexpected', 'missing') as difference,
        abs(sum(surplus)) as times
    from (
        {% for query, surplus in [(actual, 1), (expected, -1)] %}
            select
                {% for column in columns -%}
                    coalesce(cast({{ column }} as string), '-') as {{ column }},
                {% endfor %}
                {{ surplus }} as surplus
            from ({{ query }})
            {% if not loop.last %} union all {% endif %}
        {% endfor %}
    )
    group by {{ names }}
    having sum(surplus) <> 0
{%- endmacro %}

{#
  Query: the differences between a table of the package and the expected rows after this build.
  Arguments: name (of the table), columns (list).
#}
{% macro differing_from_expected(name, columns) -%}
    {%- set actual -%} select * from {{ ref('sync_logs', name) }} {%- endset -%}
    {%- set expected -%}
        select * from {{ ref('expected__' ~ name) }} where build = '{{ var('expected_build') }}'
    {%- endset -%}
    {{ differing_rows(actual, expected, columns) }}
{%- endmacro %}
