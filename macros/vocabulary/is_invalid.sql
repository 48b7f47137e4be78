{#
  Returns a SQL condition: a record was invalid, so it was not sent.
  Arguments: record_status (SQL expression).
#}
{% macro is_invalid(record_status) -%}
    {{ record_status }} in ('invalid_null_key', 'invalid_duplicate_key')
{%- endmacro %}
