{# Returns a string as a SQL literal. Spark would replace ${…} by a setting, even in a literal. #}
{% macro text_literal(text) -%}
    {{ return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '$\\{') ~ "'") }}
{%- endmacro %}
