{#
  Whether a record has a state that its attempts change: not without a key, and appended rows are records of their
  own. Argument: records (name of a step).
#}
{% macro is_keyed(records) -%}
    {{ records }}.identifier is not null and {{ records }}.canonical_operation != 'append'
{%- endmacro %}
