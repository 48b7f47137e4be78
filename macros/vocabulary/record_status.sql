{#
  Maps a logged status to the project's single vocabulary. Never null.
  Arguments: status, identifier (SQL expressions, string); word_map (SQL expression, map): none for
  the words of this build.
#}
{% macro record_status(status, identifier, word_map=none) -%}
    case
        when {{ status }} is null and {{ identifier }} is null then 'invalid_null_key'
        else coalesce({{ sync_logs.word_for(status, word_map or sync_logs.word_map('status')) }}, 'unknown')
    end
{%- endmacro %}
