{# Returns {column of the model: field of the payload} of what is compared. #}
{% macro compared_columns(compare) -%}
    {%- if compare is mapping -%}
        {{ return(compare) }}
    {%- endif -%}
    {%- set fields = {} -%}
    {%- for column in compare or [] -%}
        {%- do fields.update({column: column.split('.')[-1] | replace('`', '')}) -%}
    {%- endfor -%}
    {{ return(fields) }}
{%- endmacro %}
