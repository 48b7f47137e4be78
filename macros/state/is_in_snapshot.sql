{#
  SQL condition: the snapshot shows a record. It was neither deleted, nor left out by the last replacing run.
  Arguments: states, last_runs (names of steps).
#}
{% macro is_in_snapshot(states, last_runs) -%}
    not ({{ states }}.canonical_operation = 'delete' and not {{ states }}.is_delivered)
    and {{ states }}.outcome_position >= coalesce({{ last_runs }}.last_replacing_position, 0)
{%- endmacro %}
