{#
  The lake as Spark tables: pointers with explicit schemas, no data of their own. They are made again
  when the lake's path has changed. Spark keeps a listing of each, which every build makes it forget.
#}
{% macro create_lake_tables() -%}
    {%- set path = sync_logs.lake_path() -%}
    {%- set known_path = sync_logs.pointer_facts().get('sync_logs.lake_path') -%}
    {%- do adapter.create_schema(api.Relation.create(schema=sync_logs.lake_schema())) -%}
    {%- if known_path is not none and known_path != path -%}
        {%- if flags.EMPTY or flags.WHICH == 'test' -%}
            {# what is read stays as it is #}
            {{ return('') }}
        {%- endif -%}
        {%- do sync_logs.check_lake_is_known(known_path, path) -%}
    {%- endif -%}
    {%- for name in sync_logs._pointers() -%}
        {%- do sync_logs._point_at_lake(name, path, is_moved=known_path != path) -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _pointers() -%}
    {{ return(['files', 'fact_files', 'batches', 'facts']) }}
{%- endmacro %}

{% macro drop_pointers() -%}
    {%- if adapter.check_schema_exists(none, sync_logs.lake_schema()) -%}
        {%- for name in sync_logs._pointers() -%}
            {%- do run_query('drop table if exists ' ~ sync_logs.lake_schema() ~ '.' ~ name) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{# Arguments: name (of the source), path (root of the lake), is_moved (boolean): it pointed elsewhere. #}
{% macro _point_at_lake(name, path, is_moved) -%}
    {%- set relation = api.Relation.create(schema=sync_logs.lake_schema(), identifier=name) -%}
    {%- set existing = load_relation(relation) -%}
    {%- if existing is not none and is_moved -%}
        {%- do run_query('drop table ' ~ relation) -%}
    {%- endif -%}
    {%- if existing is none or is_moved -%}
        {%- do sync_logs.create_pointer(relation, name, path) -%}
    {%- else -%}
        {#- `refresh table` would list the lake once or twice itself, before the first question does -#}
        {%- do run_query(
            'alter table ' ~ relation ~ ' set tblproperties (' ~ sync_logs._pointer_properties(path) ~ ')') -%}
    {%- endif -%}
{%- endmacro %}

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
        tblproperties ({{ sync_logs._pointer_properties(path) }})
    {%- endcall -%}
{%- endmacro %}

{# What each pointer says of itself: the lake that it leads to, and the schema of the state that was built from it. #}
{% macro _pointer_properties(path) -%}
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

{# Schema of the pointers. #}
{% macro lake_schema() -%}
    {{ return(source('sync_logs_lake', 'files').schema) }}
{%- endmacro %}

{# All three schema generations: columns that a file lacks are null, others are not read. #}
{% macro batch_columns() -%}
    {{ return('identifier string, record_payload string, operation string, status string, '
        ~ 'status_message string, batch_started_at timestamp, batch_ended_at timestamp') }}
{%- endmacro %}

{# Names of the columns of a batch, in order. #}
{% macro batch_column_names() -%}
    {{ return(sync_logs.column_names('batch')) }}
{%- endmacro %}

{% macro fact_columns() -%}
    {{ return('id string, type string, name string, model_id string, business_object_id string, '
        ~ 'filter_segment_id string, cohort_id string') }}
{%- endmacro %}
