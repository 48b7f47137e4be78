{#
  Warns in each build about rules of the user that are left out, and what is wrong with them. It
  runs as a hook of the model that checks the rules and returns no statement.
#}
{% macro name_faulty_rules() -%}
    {%- if sync_logs.is_building() and var('sync_logs_error_rules_relation') -%}
        {%- set query -%}
            select pattern, category, fault from {{ this }}
            where load_id = '{{ sync_logs.target_load_id() }}' and fault is not null
            order by pattern asc, category asc, fault asc
        {%- endset -%}
        {%- set rows = run_query(query).rows -%}
        {%- set named = [] -%}
        {%- for row in rows[:10] -%}
            {%- do named.append(
                '  pattern ' ~ (row[0] | tojson) ~ ', category ' ~ (row[1] | tojson) ~ ': ' ~ row[2]) -%}
        {%- endfor -%}
        {%- if rows -%}
            {%- do exceptions.warn(
                rows | length ~ ' of the rules in ' ~ var('sync_logs_error_rules_relation')
                ~ ' are left out. Correct them and build again:\n' ~ named | join('\n')) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
