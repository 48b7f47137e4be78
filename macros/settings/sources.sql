{#
  Returns the sources of `sync_logs_sources`, each as {name, type, organization_id, path, schema,
  relations, compare}. Without that setting: the lake at `sync_logs_lake_path`, named `lake`.
#}
{% macro sources() -%}
    {%- do sync_logs.check_source_entries(var('sync_logs_sources')) -%}
    {%- set found = [] -%}
    {%- for source in var('sync_logs_sources') or [{'name': 'lake', 'type': 'census_lake'}] -%}
        {%- set is_lake = source.type == 'census_lake' -%}
        {%- do found.append({
            'name': source.name, 'type': source.type,
            'organization_id': none if is_lake else source.get('organization_id', source.name) | string,
            'path': source.get('path', var('sync_logs_lake_path')) if is_lake,
            'schema': source.get('schema'), 'relations': source.get('relations', {}),
            'compare': source.get('compare', 'rows')}) -%}
    {%- endfor -%}
    {%- do sync_logs.check_sources(found) -%}
    {{ return(found) }}
{%- endmacro %}

{# Returns the source that is a lake; none if there is none. #}
{% macro lake_source() -%}
    {{ return(sync_logs.sources() | selectattr('type', 'eq', 'census_lake') | first | default(none)) }}
{%- endmacro %}

{#
  Returns the sources that are tables. dbt builds a model that asks for them after the models and
  seeds of the user's project that they name.
  Arguments: type (string): null for all types.
#}
{% macro table_sources(type=none) -%}
    {%- set found = [] -%}
    {%- for source in sync_logs.sources()
        if source.type != 'census_lake' and type in (none, source.type) -%}
        {%- do found.append(source) -%}
        {%- for name in source.relations.values() if not execute and sync_logs.is_name_of_model(name) -%}
            {%- do sync_logs.named_relation(name) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{# Returns the types of the sources that are tables, each once. Each type has a folder of models. #}
{% macro table_source_types() -%}
    {{ return(sync_logs.table_sources() | map(attribute='type') | unique | list) }}
{%- endmacro %}
