{#
  Returns the value of one field of a JSON payload: strings without quotes, other values as JSON,
  null if missing.
  Arguments: payload, field (SQL expressions, string).
#}
{% macro payload_field(payload, field) -%}
    case
        when {{ field }} is null then null
        -- a JSON path cannot express these names, or gives them another meaning
        when {{ field }} in ('', '*') or {{ field }} rlike '[\'?]'
            then from_json({{ payload }}, 'map<string,string>')[{{ field }}]
        else get_json_object({{ payload }}, concat('$[\'', {{ field }}, '\']'))
    end
{%- endmacro %}
