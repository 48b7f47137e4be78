{#
  Returns the words of a log that this package knows: {kind: {cleaned word: meaning}}. The var
  `sync_logs_words` maps any other words in a project's log.
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
            'completed with errors': 'succeeded', 'partial': 'succeeded', 'warning': 'succeeded', 'healthy': 'succeeded',
            'failed': 'failed', 'error': 'failed', 'aborted': 'failed',
            'cancelled': 'failed', 'canceled': 'failed', 'skipped': 'failed',
            'incomplete': 'failed', 'interrupted': 'failed',
            'pending': 'running', 'queued': 'running', 'preparing': 'running', 'querying': 'running',
            'processing': 'running', 'reporting': 'running', 'in progress': 'running',
            'in_progress': 'running', 'running': 'running', 'working': 'running',
        },
    }) }}
{%- endmacro %}

{# Returns a word in the form in which words are compared, as `cleaned` does in SQL. #}
{% macro cleaned_word(word) -%}
    {{ return(word | trim | lower) }}
{%- endmacro %}
