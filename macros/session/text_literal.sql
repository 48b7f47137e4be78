{# Returns a string as a SQL literal. #}
{% macro text_literal(text) -%}
    {{ return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") }}
{%- endmacro %}
