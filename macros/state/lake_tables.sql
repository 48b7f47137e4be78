{#
  The lake as Spark tables: pointers with explicit schemas, no data of their own. They are made anew
  when the lake's path has changed. Spark keeps a listing of each, which every build makes it forget.
#}
{% macro _create_lake_tables() -%}
    {%- set path = sync_logs.lake_path() -%}
    {%- set records = path ~ '/sync_tracking_datasets' -%}
    {%- set facts = path ~ '/metadata' -%}
    {%- do adapter.create_schema(api.Relation.create(schema=source('sync_logs_lake', 'files').schema)) -%}
    {%- do sync_logs._point_at_lake('files', none, 'binaryFile', records, {}) -%}
    {%- do sync_logs._point_at_lake('fact_files', none, 'binaryFile', facts, {}) -%}
    {%- do sync_logs._point_at_lake('batches', sync_logs._batch_columns(), 'parquet', records,
        {'pathGlobFilter': '*.parquet', 'ignoreCorruptFiles': 'true'}) -%}
    {%- do sync_logs._point_at_lake('facts', sync_logs._fact_columns(), 'parquet', facts,
        {'pathGlobFilter': '*.parquet', 'ignoreCorruptFiles': 'true'}) -%}
{%- endmacro %}

{% macro _point_at_lake(name, columns, format, path, options) -%}
    {%- set relation = source('sync_logs_lake', name) -%}
    {%- set literal = sync_logs.text_literal(path) -%}
    {%- set existing = load_relation(relation) -%}
    {%- if existing is not none -%}
        {%- set known_path = sync_logs._lake_table_path(relation) -%}
        {%- if known_path != path -%}
            {%- do sync_logs.check_lake_is_known(known_path, path) -%}
            {%- do run_query('drop table ' ~ relation) -%}
            {%- set existing = none -%}
        {%- endif -%}
    {%- endif -%}
    {%- if existing is none -%}
        {%- call statement() -%}
            create table if not exists {{ relation }}
            {% if columns %} ({{ columns }}) {% endif %}
            using {{ format }}
            options (
                {% for key, value in options.items() %} {{ key }} '{{ value }}', {% endfor %}
                recursiveFileLookup 'true',
                path {{ literal }}
            )
            tblproperties ('sync_logs.lake_path' = {{ literal }})
        {%- endcall -%}
    {%- else -%}
        {#- `refresh table` would list the lake once or twice itself, before the first question does -#}
        {%- do run_query(
            'alter table ' ~ relation ~ " set tblproperties ('sync_logs.lake_path' = " ~ literal ~ ')') -%}
    {%- endif -%}
{%- endmacro %}

{% macro _lake_table_path(relation) -%}
    {%- set rows = run_query("show tblproperties " ~ relation ~ " ('sync_logs.lake_path')") -%}
    {{ return(rows.rows[0][1]) }}
{%- endmacro %}

{# All three schema generations: columns that a file lacks are null, others are not read. #}
{% macro _batch_columns() -%}
    {{ return('identifier string, record_payload string, operation string, status string, '
        ~ 'status_message string, batch_started_at timestamp, batch_ended_at timestamp') }}
{%- endmacro %}

{# Names of the columns of a batch, in order. #}
{% macro batch_column_names() -%}
    {{ return(sync_logs._column_names('batch')) }}
{%- endmacro %}

{% macro _fact_columns() -%}
    {{ return('id string, type string, name string, model_id string, business_object_id string, '
        ~ 'filter_segment_id string, cohort_id string') }}
{%- endmacro %}

{# Root of the lake without a trailing slash. #}
{% macro lake_path() -%}
    {%- set path = var('sync_logs_lake_path') | string -%}
    {{ return(modules.re.sub('(?<=[^/])/+$', '', path)) }}
{%- endmacro %}
