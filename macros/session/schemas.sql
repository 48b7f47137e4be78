{#
  Returns the schema of the state: that of its models, which a project can change (`models:
  sync_logs: +schema`, or its own macro `generate_schema_name`). Sources cannot follow it on their
  own.
#}
{% macro state_schema() -%}
    {%- set node = graph.nodes.get('model.sync_logs.sync_load_current') if execute -%}
    {{ return(node.schema if node else source('sync_logs_state', 'load_current').schema) }}
{%- endmacro %}

{#
  Returns the catalog of the state: none on engines whose relations have no catalog in their names.
#}
{% macro state_catalog() -%}
    {%- set node = graph.nodes.get('model.sync_logs.sync_load_current') if execute -%}
    {{ return(node.database if node else source('sync_logs_state', 'load_current').database) }}
{%- endmacro %}

{# Returns the schema of the documented tables, for messages. #}
{% macro mart_schema() -%}
    {%- set node = graph.nodes.get('model.sync_logs.sync_log') if execute -%}
    {{ return(node.schema if node else target.schema) }}
{%- endmacro %}

{#
  Returns a table of the state as an earlier build committed it. It is read in full even with
  `--empty`, which would otherwise turn it into a subquery.
  Arguments: name (string): of the source.
#}
{% macro committed(name) -%}
    {%- set declared = source('sync_logs_state', name) -%}
    {# a unit test replaces it with fixtures, which are in no schema #}
    {%- if not execute or not declared.schema or (
        declared.schema == sync_logs.state_schema() and declared.database == sync_logs.state_catalog()) -%}
        {{ return(declared.render()) }}
    {%- endif -%}
    {{ return(declared.incorporate(
        path={'database': sync_logs.state_catalog(), 'schema': sync_logs.state_schema()}).render()) }}
{%- endmacro %}

{#
  Returns a table of the state.
  Arguments: name (string): of its model.
#}
{% macro state_table(name) -%}
    {{ return(api.Relation.create(
        database=sync_logs.state_catalog(), schema=sync_logs.state_schema(), identifier=name)) }}
{%- endmacro %}

{#
  Returns the table of a model or seed.
  Arguments: node: from dbt's graph.
#}
{% macro table_of(node) -%}
    {{ return(api.Relation.create(database=node.database, schema=node.schema, identifier=node.alias)) }}
{%- endmacro %}

{# Returns the schema of the pointer tables. #}
{% macro lake_schema() -%}
    {{ return(source('sync_logs_lake', 'files').schema) }}
{%- endmacro %}

{#
  Returns a relation in the schema of the pointer tables.
  Arguments: name (string): none for the schema itself.
#}
{% macro lake_relation(name=none) -%}
    {%- set catalog = 'spark_catalog.' if sync_logs.has_own_catalog() else '' -%}
    {{ return(api.Relation.create(
        database=source('sync_logs_lake', 'files').database, schema=catalog ~ sync_logs.lake_schema(),
        identifier=name)) }}
{%- endmacro %}

{# Returns the view that records the lake, and the schema of the state, where no pointer table can. #}
{% macro lake_location() -%}
    {{ return(api.Relation.create(
        database=source('sync_logs_lake', 'files').database, schema=sync_logs.lake_schema(),
        identifier='lake_location')) }}
{%- endmacro %}

{#
  Returns the names of the pointer tables: the sources that are read from the lake. `files` is the
  last one: it records the path of the lake, so a build that is killed before it points all of them
  again.
#}
{% macro lake_pointers() -%}
    {%- set names = graph.sources.values()
        | selectattr('package_name', 'eq', 'sync_logs') | selectattr('source_name', 'eq', 'sync_logs_lake')
        | map(attribute='name') | reject('eq', 'files') | list -%}
    {{ return(names + ['files']) }}
{%- endmacro %}

{# Returns the schemas of everything that this package builds, in lower case. #}
{% macro written_schemas() -%}
    {{ return(graph.nodes.values()
        | selectattr('package_name', 'eq', 'sync_logs') | selectattr('resource_type', 'in', ['model', 'seed'])
        | map(attribute='schema') | map('lower') | unique | list) }}
{%- endmacro %}
