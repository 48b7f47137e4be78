{# Makes one pointer. Arguments: relation, name (of the source that says what it reads), path. #}
{% macro create_pointer(relation, name, path) -%}
    {%- set columns = {'batches': sync_logs.batch_columns(), 'facts': sync_logs.fact_columns()}.get(name) -%}
    {%- set folder = '/sync_tracking_datasets' if name in ('files', 'batches') else '/metadata' -%}
    {%- call statement() -%}
        create table if not exists {{ relation }}
        {% if columns %} ({{ columns }}) using parquet {% else %} using binaryFile {% endif %}
        options (
            {% if columns %} pathGlobFilter '*.parquet', ignoreCorruptFiles 'true', {% endif %}
            recursiveFileLookup 'true',
            path {{ sync_logs.text_literal(path ~ folder) }}
        )
        tblproperties ({{ sync_logs.pointer_properties(path) }})
    {%- endcall -%}
{%- endmacro %}

{# What each pointer says of itself: the lake that it leads to, and the schema of the state that was built from it. #}
{% macro pointer_properties(path) -%}
    'sync_logs.lake_path' = {{ sync_logs.text_literal(path) }},
    'sync_logs.state_schema' = {{ sync_logs.text_literal(sync_logs.state_schema()) }}
{%- endmacro %}

{# {name: value} of what the pointers say; empty if there are none yet. #}
{% macro pointer_facts() -%}
    {%- set relation = api.Relation.create(schema=sync_logs.lake_schema(), identifier='files') -%}
    {%- set facts = {} -%}
    {%- if load_relation(relation) is not none -%}
        {%- for key, value in run_query('show tblproperties ' ~ relation).rows -%}
            {%- do facts.update({key: value}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(facts) }}
{%- endmacro %}

{#
  A pointer to the lake as a model reads it: whole with `--empty` too, as a subquery would hide `_metadata`.
  Argument: name (of the source).
#}
{% macro lake_table(name) -%}
    {{ return(source('sync_logs_lake', name).render()) }}
{%- endmacro %}
