{#
  Maps a reported run status to `succeeded` or `failed`; null if it is known as neither.
  Arguments: status (SQL expression, string).
#}
{% macro run_outcome(status) -%}
    {{ sync_logs.word_for(status, sync_logs.word_map('run_status')) }}
{%- endmacro %}
