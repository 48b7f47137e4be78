{#
  The format of the tables of the state. Whatever differs between the formats of
  `sync_logs_file_format` is in this folder. Parquet tables have folders, which the catalog lists as
  partitions. Delta and Iceberg tables have a log of commits: a row that is deleted stays on disk
  until `erase_dropped` deletes the files that no commit needs any more.
#}

{# Returns `parquet`, `delta` or `iceberg`. #}
{% macro file_format() -%}
    {{ return(var('sync_logs_file_format') or sync_logs.engine().format) }}
{%- endmacro %}

{# Returns whether the tables have a log of commits. #}
{% macro has_commit_log() -%}
    {{ return(sync_logs.file_format() != 'parquet') }}
{%- endmacro %}

{#
  Stops a build if the state has another format than the setting says, or if a conversion has not
  ended.
#}
{% macro check_file_format() -%}
    {%- set listed = sync_logs.state_table('int_files__planned') -%}
    {%- set existing = load_relation(listed) -%}
    {%- set found = sync_logs.format_of(existing) if existing is not none -%}
    {%- if found and found != sync_logs.file_format() -%}
        {%- do sync_logs.stop(
            'The state in ' ~ sync_logs.state_schema() ~ ' has the format ' ~ found ~ ', but sync_logs_file_format is '
            ~ sync_logs.file_format() ~ '. Set it to ' ~ found ~ ', or copy the state to ' ~ sync_logs.file_format()
            ~ ' with `dbt run-operation sync_logs_convert`.') -%}
    {%- elif existing is none -%}
        {%- do sync_logs.check_engine() -%}
    {%- endif -%}
    {%- if existing is none and load_relation(sync_logs.copy_of(listed)) is not none -%}
        {#- `stop` would undo what it takes for the start of a new state -#}
        {%- do exceptions.raise_compiler_error(
            'The state in ' ~ sync_logs.state_schema() ~ ' was not copied completely. Run '
            ~ '`dbt run-operation sync_logs_convert` again, which continues.') -%}
    {%- endif -%}
{%- endmacro %}

{# Returns the relation that a conversion fills before it replaces a table. #}
{% macro copy_of(relation) -%}
    {{ return(api.Relation.create(
        database=relation.database, schema=relation.schema,
        identifier=relation.identifier ~ '__as_' ~ sync_logs.file_format())) }}
{%- endmacro %}

{# Stops if the engine cannot write the format. #}
{% macro check_engine() -%}
    {%- if not sync_logs.engine().needs_catalogs -%}
        {{ return('') }}
    {%- endif -%}
    {%- set format = sync_logs.file_format() -%}
    {%- set catalog = run_query('select current_catalog()').rows[0][0] -%}
    {%- set needed = {
        'delta': 'org.apache.spark.sql.delta.catalog.DeltaCatalog',
        'iceberg': 'org.apache.iceberg.spark.SparkSessionCatalog'}.get(format) -%}
    {%- if catalog != 'spark_catalog' -%}
        {%- if format != 'iceberg' -%}
            {%- do sync_logs.stop(
                'sync_logs_file_format is ' ~ format ~ ', but the default catalog of this Spark is ' ~ catalog
                ~ ', which can only have tables of Iceberg. Set sync_logs_file_format to iceberg, or '
                ~ 'spark.sql.defaultCatalog to spark_catalog.') -%}
        {%- endif -%}
        {%- set needed = 'org.apache.iceberg.spark.SparkCatalog' -%}
    {%- endif -%}
    {%- if needed -%}
        {%- set setting = 'spark.sql.catalog.' ~ catalog -%}
        {%- set found = run_query('set `' ~ setting ~ '`').rows[0][1] -%}
        {%- if found != needed -%}
            {%- do sync_logs.stop(
                'sync_logs_file_format is ' ~ format ~ ', but this Spark has no catalog for it '
                ~ '(' ~ setting ~ ' is ' ~ found ~ '). Set it to ' ~ needed
                ~ ' as docs/engines.md shows, or set sync_logs_file_format to parquet.') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the format of a table, as dbt listed it; none if the list does not tell. The catalog lists
  an Iceberg table as one of Hive.
#}
{% macro format_of(relation) -%}
    {{ return(adapter.dispatch('format_of', 'sync_logs')(relation)) }}
{%- endmacro %}

{% macro default__format_of(relation) -%}
    {%- set provider = modules.re.search('Provider: *(\\w+)', relation.information or '') -%}
    {{ return({'parquet': 'parquet', 'delta': 'delta', 'iceberg': 'iceberg', 'hive': 'iceberg'}.get(
        provider.group(1) | lower if provider)) }}
{%- endmacro %}
