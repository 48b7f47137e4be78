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

{# What words are to mean in this build: those that are known, and those of the var. The same form. #}
{% macro words() -%}
    {%- set found = sync_logs.known_words() -%}
    {# while dbt parses, a fault would stop it without a word about the setting #}
    {%- if execute -%}
        {%- do sync_logs.check_words() -%}
        {%- for kind, given in (var('sync_logs_words') or {}).items() -%}
            {%- for word, meaning in given.items() -%}
                {%- do found[kind].update({sync_logs.cleaned_word(word): meaning}) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(found) }}
{%- endmacro %}

{# The form in which words are compared: what `cleaned` makes of a text in SQL. #}
{% macro cleaned_word(word) -%}
    {{ return(word | trim | lower) }}
{%- endmacro %}

{# Words as one text, the same for the same words in any order. Argument: words (as of `words`). #}
{% macro words_as_text(words) -%}
    {{ return(tojson(words, sort_keys=true)) }}
{%- endmacro %}
