{#
  The value of one field of a JSON payload: texts unquoted, other values as JSON text, null if absent.
  Arguments: payload, field (SQL expressions of type string).
#}
{% macro payload_field(payload, field) -%}
    case
        when {{ field }} is null then null
        -- a JSON path has no way to write these names, or means something else by them
        when {{ field }} in ('', '*') or {{ field }} rlike '[\'?]'
            then from_json({{ payload }}, 'map<string,string>')[{{ field }}]
        else get_json_object({{ payload }}, concat('$[\'', {{ field }}, '\']'))
    end
{%- endmacro %}
