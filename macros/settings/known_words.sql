{#
  What this package knows that words of a log mean: {kind: {cleaned word: meaning}}. A word that the log of a
  project has besides is mapped by the var `sync_logs_words`.
#}
{% macro known_words() -%}
    {{ return({
        'operation': {
            'upsert': 'upsert',
            'delete': 'delete', 'deleted': 'delete', 'remove': 'delete', 'removed': 'delete',
            'update': 'update', 'updated': 'update', 'change': 'update',
            'insert': 'insert', 'create': 'insert', 'created': 'insert', 'inserted': 'insert', 'add': 'insert',
            'append': 'append',
            'mirror': 'mirror',
        },
        'status': {
            'succeeded': 'succeeded',
            'rejected': 'failed', 'failed': 'failed',
            'null': 'invalid_null_key', 'duplicate': 'invalid_duplicate_key',
            'aborted': 'not_attempted', 'not_attempted': 'not_attempted',
        },
        'run_status': {
            'succeeded': 'succeeded', 'success': 'succeeded', 'completed': 'succeeded',
            'completed with errors': 'succeeded',
            'failed': 'failed', 'error': 'failed', 'aborted': 'failed',
            'cancelled': 'failed', 'canceled': 'failed',
        },
    }) }}
{%- endmacro %}

{# The form in which words are compared: what `cleaned` makes of a text in SQL. #}
{% macro cleaned_word(word) -%}
    {{ return(word | trim | lower) }}
{%- endmacro %}
