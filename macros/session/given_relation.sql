{#
  The relation that a var names: a model or seed of the user's project by its name, so that it is built
  first, or any relation as schema.table. Null: a model or seed of ours.
  Arguments: name (of the var), default (name of our model or seed).
#}
{% macro given_relation(name, default) -%}
    {%- set given = var(name) -%}
    {%- if given and '.' in given -%}
        {{ return(given) }}
    {%- endif -%}
    {#- with the name of the project, or dbt warns that it looked there first -#}
    {{ return(ref(project_name, given) if given else ref('sync_logs', default)) }}
{%- endmacro %}
