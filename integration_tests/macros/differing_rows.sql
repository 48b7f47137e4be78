{#
  Query: rows that one of two queries has more often, all values as texts, null as a dash. Each query is asked once.
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
