{# Whether this build computes everything again, as a SQL literal. #}
{% macro is_full_refresh() -%}
    {{ return('true' if flags.FULL_REFRESH else 'false') }}
{%- endmacro %}
