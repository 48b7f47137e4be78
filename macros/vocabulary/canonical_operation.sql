{#
  Maps a logged operation to the one vocabulary of the project.
  Argument: operation (SQL expression of type string). Never null.
#}
{% macro canonical_operation(operation) -%}
    {%- set words = {
        'upsert': 'upsert',
        'delete': 'delete', 'deleted': 'delete', 'remove': 'delete', 'removed': 'delete',
        'update': 'update', 'updated': 'update', 'change': 'update',
        'insert': 'insert', 'create': 'insert', 'created': 'insert', 'inserted': 'insert', 'add': 'insert',
        'append': 'append',
        'mirror': 'mirror',
    } -%}
    coalesce({{ sync_logs.word_for(operation, words) }}, 'unknown')
{%- endmacro %}
