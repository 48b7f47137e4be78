{#
  Maps a reported run status to `succeeded` or `failed`; null if it does not say that the run is
  over.
  Arguments: status (SQL expression, string).
#}
{% macro run_outcome(status) -%}
    nullif({{ sync_logs.word_for(status, sync_logs.word_map('run_status')) }}, 'running')
{%- endmacro %}
