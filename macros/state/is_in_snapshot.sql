{#
  SQL condition: the snapshot shows a record. It was neither deleted, nor left out by the last replacing run.
  Argument: states (name of a step with states and the `last_replacing_position` of their sync).
#}
{% macro is_in_snapshot(states) -%}
    not ({{ states }}.canonical_operation = 'delete' and not {{ states }}.is_delivered)
    and {{ states }}.outcome_position >= coalesce({{ states }}.last_replacing_position, 0)
{%- endmacro %}
