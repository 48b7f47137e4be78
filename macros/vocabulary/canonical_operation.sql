{#
  Maps a logged operation to the project's single vocabulary. Never null.
  Arguments: operation (SQL expression, string); word_map (SQL expression, map): none for the words
  of this build.
#}
{% macro canonical_operation(operation, word_map=none) -%}
    coalesce({{ sync_logs.word_for(operation, word_map or sync_logs.word_map('operation')) }}, 'unknown')
{%- endmacro %}
