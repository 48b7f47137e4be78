{#
  Returns a SQL condition: a record has a state that its attempts change. Records without a key have
  none, and each appended row is a record of its own.
  Arguments: records (name of a step).
#}
{% macro is_keyed(records) -%}
    {{ records }}.identifier is not null and {{ records }}.canonical_operation != 'append'
{%- endmacro %}
