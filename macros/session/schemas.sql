{#
  Schema of the state: that of its models, which a project can change (`models: sync_logs: +schema`, or a
  macro `generate_schema_name` of its own). Sources cannot follow it by themselves.
#}
{% macro state_schema() -%}
    {%- set node = graph.nodes.get('model.sync_logs.sync_load_current') if execute -%}
    {{ return(node.schema if node else source('sync_logs_state', 'load_current').schema) }}
{%- endmacro %}

{# Schema of the documented tables, for messages. #}
{% macro mart_schema() -%}
    {%- set node = graph.nodes.get('model.sync_logs.sync_log') if execute -%}
    {{ return(node.schema if node else target.schema) }}
{%- endmacro %}

{#
  A table of the state as an earlier build committed it; all of it with `--empty` too, which would make a subquery
  of it. Argument: name (that of the source).
#}
{% macro committed(name) -%}
    {%- set declared = source('sync_logs_state', name) -%}
    {# a unit test puts fixtures in its place, which are in no schema #}
    {%- if not execute or not declared.schema or declared.schema == sync_logs.state_schema() -%}
        {{ return(declared.render()) }}
    {%- endif -%}
    {{ return(declared.incorporate(path={'schema': sync_logs.state_schema()}).render()) }}
{%- endmacro %}

{# A table of the state by the name of its model. Argument: name (string). #}
{% macro state_table(name) -%}
    {{ return(api.Relation.create(schema=sync_logs.state_schema(), identifier=name)) }}
{%- endmacro %}

{# Schema of the pointers. #}
{% macro lake_schema() -%}
    {{ return(source('sync_logs_lake', 'files').schema) }}
{%- endmacro %}

{# Names of the pointers: the sources that are read from the lake. #}
{% macro lake_pointers() -%}
    {{ return(graph.sources.values() | selectattr('source_name', 'eq', 'sync_logs_lake') | map(attribute='name') | list) }}
{%- endmacro %}

{# The schemas of everything that a build of ours makes, in small letters. #}
{% macro written_schemas() -%}
    {%- set found = [] -%}
    {%- for node in graph.nodes.values()
        if node.package_name == 'sync_logs' and node.resource_type in ('model', 'seed')
        and node.schema | lower not in found -%}
        {%- do found.append(node.schema | lower) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}
