{# Returns a string as a SQL literal. Spark would replace ${…} by a setting, even in a literal. #}
{% macro text_literal(text) -%}
    {{ return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '$\\{') ~ "'") }}
{%- endmacro %}

{# Returns strings as a list of SQL literals. #}
{% macro text_literals(texts) -%}
    {%- set literals = [] -%}
    {%- for text in texts -%}
        {%- do literals.append(sync_logs.text_literal(text)) -%}
    {%- endfor -%}
    {{ return(literals | join(', ')) }}
{%- endmacro %}
