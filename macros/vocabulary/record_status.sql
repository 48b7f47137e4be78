{#
  Maps a logged status to the one vocabulary of the project. Never null.
  Arguments: status and identifier (SQL expressions of type string), word_map (SQL expression; the words of this
  build if none is given).
#}
{% macro record_status(status, identifier, word_map=none) -%}
    case
        when {{ status }} is null and {{ identifier }} is null then 'invalid_null_key'
        else coalesce({{ sync_logs.word_for(status, word_map or sync_logs.word_map('status')) }}, 'unknown')
    end
{%- endmacro %}
