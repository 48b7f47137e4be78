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
    {%- if not relation.information and sync_logs.has_own_catalog() -%}
        {#- `table_or_view` has found it -#}
        {{ return(sync_logs.asked_definition(relation)) }}
    {%- endif -%}
    {{ return(found.group(1) if found else none) }}
{%- endmacro %}

{# Returns the definition of a view that dbt has listed without its properties. #}
{% macro asked_definition(relation) -%}
    {%- for key, value in run_query('show tblproperties ' ~ relation).rows if key == 'sync_logs.definition' -%}
        {#- dbt's list of relations has it from now on -#}
        {%- do adapter.cache_dropped(relation) -%}
        {%- do adapter.cache_added(sync_logs.with_definition(relation, value)) -%}
        {{ return(value) }}
    {%- endfor -%}
    {{ return(none) }}
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
