{#
  What a reported run status is known to mean: `succeeded`, `failed`, or null if it means neither.
  Argument: status (SQL expression of type string).
#}
{% macro run_outcome(status) -%}
    {{ sync_logs.word_for(status, sync_logs.word_map('run_status')) }}
{%- endmacro %}
