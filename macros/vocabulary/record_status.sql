{#
  Maps a logged status to the one vocabulary of the project.
  Arguments: status and identifier (SQL expressions of type string). Never null.
#}
{% macro record_status(status, identifier) -%}
    {%- set words = {
        'succeeded': 'succeeded',
        'rejected': 'failed', 'failed': 'failed',
        'null': 'invalid_null_key', 'duplicate': 'invalid_duplicate_key',
        'aborted': 'not_attempted', 'not_attempted': 'not_attempted',
    } -%}
    case
        when {{ status }} is null and {{ identifier }} is null then 'invalid_null_key'
        else coalesce({{ sync_logs.word_for(status, words) }}, 'unknown')
    end
{%- endmacro %}
