{#
  Returns the relation that a var names, as `named_relation` does. If the var is null, returns a
  model or seed of this package.
  Arguments: name (string): the var; default (string): the model or seed of this package.
#}
{% macro given_relation(name, default) -%}
    {{ return(sync_logs.named_relation(var(name)) if var(name) else ref('sync_logs', default)) }}
{%- endmacro %}

{#
  Returns the relation that a setting names: a model or seed of the user's project by its name, so
  that dbt builds it first, or any relation as schema.table. On an engine with catalogs,
  schema.table is in the catalog of the target. A name with a catalog, and files (as
  parquet.`/path`), stay as they are.
  Arguments: name (string).
#}
{% macro named_relation(name) -%}
    {%- if sync_logs.is_name_of_model(name) -%}
        {#- without the name of the project, dbt warns that it looked there first -#}
        {{ return(ref(project_name, name)) }}
    {%- endif -%}
    {%- set is_in_schema = modules.re.match('^[^.`]+[.][^.`]+$', name) -%}
    {{ return(target.database ~ '.' ~ name if target.database and is_in_schema else name) }}
{%- endmacro %}

{#
  Returns the relation that an argument gives: a model or seed by its name, schema.table, a query in
  parentheses, or what `ref` and `source` return.
#}
{% macro given_model(model) -%}
    {{ return(sync_logs.named_relation(model) if model is string else model) }}
{%- endmacro %}

{# Returns whether a setting names a model or seed of the user's project: a name without a schema. #}
{% macro is_name_of_model(name) -%}
    {{ return(modules.re.match('^[^.`( ]+$', name) is not none) }}
{%- endmacro %}
