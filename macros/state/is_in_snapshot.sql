{#
  Returns a SQL condition: the snapshot shows a record, because it was neither deleted nor left out
  by the last replacing run.
  Arguments: states (name of a step): states with the `last_replacing_position` of their sync.
#}
{% macro is_in_snapshot(states) -%}
    not ({{ states }}.canonical_operation = 'delete' and not {{ states }}.is_delivered)
    and {{ states }}.outcome_position >= coalesce({{ states }}.last_replacing_position, 0)
{%- endmacro %}
