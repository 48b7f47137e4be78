{#
  Maps a logged operation to the one vocabulary of the project. Never null.
  Arguments: operation (SQL expression of type string), word_map (SQL expression; the words of this build if none
  is given).
#}
{% macro canonical_operation(operation, word_map=none) -%}
    coalesce({{ sync_logs.word_for(operation, word_map or sync_logs.word_map('operation')) }}, 'unknown')
{%- endmacro %}
