{#
  Returns a SQL condition: a record has an open failure. What was appended has no later outcome.
  Arguments: states (name of a step): rows of int_record_states__live.
#}
{% macro is_failing(states) -%}
    (
        {{ states }}.failure is not null
        or ({{ states }}.canonical_operation = 'append' and {{ states }}.status = 'failed')
    )
{%- endmacro %}
