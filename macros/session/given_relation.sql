{#
  Returns the relation that a var names: a model or seed of the user's project by its name, so that
  dbt builds it first, or any relation as schema.table. If the var is null, returns a model or seed
  of this package. On an engine with catalogs, schema.table is in the catalog of the target, and
  catalog.schema.table is possible.
  Arguments: name (string): the var; default (string): the model or seed of this package.
#}
{% macro given_relation(name, default) -%}
    {%- set given = var(name) -%}
    {%- if given and '.' in given -%}
        {{ return(given if not target.database or given.count('.') > 1 else target.database ~ '.' ~ given) }}
    {%- endif -%}
    {#- without the name of the project, dbt warns that it looked there first -#}
    {{ return(ref(project_name, given) if given else ref('sync_logs', default)) }}
{%- endmacro %}
