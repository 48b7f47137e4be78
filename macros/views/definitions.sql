{#
  Returns the definition of a view, as the last build noted it; none if it has none. dbt lists the
  properties of all relations at its start.
  Arguments: relation: from dbt's cache.
#}
{% macro stored_definition(relation) -%}
    {{ return(adapter.dispatch('stored_definition', 'sync_logs')(relation)) }}
{%- endmacro %}

{% macro default__stored_definition(relation) -%}
    {%- set found = modules.re.search(
        'sync_logs[.]definition=([0-9a-f]{32})', relation.information or '') -%}
    {{ return(found.group(1) if found else none) }}
{%- endmacro %}

{#
  Returns a relation with its definition, as `stored_definition` finds it in dbt's cache.
  Arguments: relation; definition (string).
#}
{% macro with_definition(relation, definition) -%}
    {{ return(adapter.dispatch('with_definition', 'sync_logs')(relation, definition)) }}
{%- endmacro %}

{% macro default__with_definition(relation, definition) -%}
    {{ return(relation.incorporate(information='sync_logs.definition=' ~ definition)) }}
{%- endmacro %}
