{#
  Returns a SQL condition: the snapshot shows a record, because it was neither deleted nor left out
  by the last replacing run.
  Arguments (names of steps): states; runs: of each sync, with its `last_replacing_position`.
#}
{% macro is_in_snapshot(states, runs) -%}
    not ({{ states }}.canonical_operation = 'delete' and not {{ states }}.is_delivered)
    and {{ states }}.outcome_position >= coalesce({{ runs }}.last_replacing_position, 0)
{%- endmacro %}
