{#
  Returns a SQL expression (bigint): how long a run took, in microseconds; null if its start or finish is
  not known. A start or finish that the vendor does not report is that of its batches.
  Arguments: runs (name of a step).
#}
{% macro run_micros(runs) -%}
    unix_micros(coalesce({{ runs }}.reported_finished_at, {{ runs }}.last_batch_ended_at))
    - unix_micros(coalesce({{ runs }}.reported_started_at, {{ runs }}.first_batch_started_at))
{%- endmacro %}
