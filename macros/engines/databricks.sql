{#
  What differs on Databricks with Unity Catalog (docs/engines.md). Each macro replaces the one with
  `default__` instead of `databricks__` in its name. No table points at the lake: each query lists the
  files and reads them with `read_files`. A view in the schema of the pointer tables records where the
  lake is.
#}

{#
  Catalogs need no check, because `check_settings_of_engine` has checked the format. SQL scripts have
  not been tried on Databricks.
#}
{% macro databricks__engine() -%}
    {{ return({
        'format': 'delta', 'needs_catalogs': false, 'has_pointers': false, 'has_scripts': false, 'has_lock': false}) }}
{%- endmacro %}

{# Stops on settings that other engines accept. #}
{% macro databricks__check_settings_of_engine() -%}
    {%- if sync_logs.file_format() != 'delta' -%}
        {%- do sync_logs.stop(
            'sync_logs_file_format is ' ~ sync_logs.file_format() ~ ', but on Databricks the tables are Delta tables; '
            ~ 'leave it out.') -%}
    {%- endif -%}
    {%- if var('sync_logs_python_models') -%}
        {%- do sync_logs.stop(
            'sync_logs_python_models is true, but our Python models do not run on Databricks; leave it out.') -%}
    {%- endif -%}
    {%- set path = sync_logs.lake_path() -%}
    {%- if sync_logs.lake_source()
        and not modules.re.match('/Volumes/[^/]+/[^/]+/[^/]+', path) and '://' not in path -%}
        {%- do sync_logs.stop(
            'sync_logs_lake_path is ' ~ path ~ ', which Databricks cannot read; give a volume '
            ~ '(/Volumes/<catalog>/<schema>/<volume>) or the URL of an external location, for instance s3://bucket/lake.'
            ) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns a call of `read_files`, which finds files in all folders below its path.
  Arguments: path (string); columns (string): their names and types; none for the bytes of files.
#}
{% macro _read_files(path, columns=none) -%}
    {%- set options = ["format => 'binaryFile'"] if not columns else [
        "format => 'parquet'", 'schema => ' ~ sync_logs.text_literal(columns), "schemaEvolutionMode => 'none'",
        "fileNamePattern => '*.parquet'", 'ignoreCorruptFiles => true'] -%}
    {{ return('read_files(' ~ sync_logs.text_literal(path) ~ ', ' ~ options | join(', ') ~ ')') }}
{%- endmacro %}

{#
  Returns what reads no file, for a project without a lake: `read_files` needs a path that exists.
  Arguments: columns (string): their names and types.
#}
{% macro _no_files(columns) -%}
    {%- set metadata = 'struct<file_path:string, file_size:bigint, file_modification_time:timestamp, row_index:bigint>' -%}
    {%- set nulls = ['cast(null as ' ~ metadata ~ ') as _metadata'] -%}
    {%- for column in columns.split(', ') -%}
        {%- set name, type = column.split(' ') -%}
        {%- do nulls.append('cast(null as ' ~ type ~ ') as ' ~ name) -%}
    {%- endfor -%}
    {{ return('(select ' ~ nulls | join(', ') ~ ' where false)') }}
{%- endmacro %}

{% macro databricks__lake_table(name) -%}
    {%- do source('sync_logs_lake', name) -%}
    {%- set columns = sync_logs.lake_columns().get(name) -%}
    {%- if not sync_logs.lake_source() -%}
        {{ return(sync_logs._no_files(columns or 'content binary')) }}
    {%- endif -%}
    {{ return(sync_logs._read_files(
        sync_logs.lake_path() ~ ('/sync_tracking_datasets' if name in ('files', 'batches') else '/metadata'),
        columns)) }}
{%- endmacro %}

{% macro databricks__lake_with_types(name, file_kind, types) -%}
    {{ return(sync_logs._read_files(
        sync_logs.lake_path() ~ ('/sync_tracking_datasets' if file_kind == 'batch' else '/metadata'),
        types.items() | map('join', ' ') | join(', '))) }}
{%- endmacro %}

{% macro databricks__files_under(path) -%}
    {{ return(sync_logs._read_files(path ~ '/sync_tracking_datasets')) }}
{%- endmacro %}

{#
  Asks for the property: dbt's list of relations has no properties here. What this command has asked
  before, or has written itself, is in that list.
#}
{% macro databricks__stored_definition(relation) -%}
    {%- set noted = (relation.metadata or {}).get('sync_logs.definition') -%}
    {%- if noted -%}
        {{ return(noted) }}
    {%- endif -%}
    {{ return(sync_logs.asked_definition(relation)) }}
{%- endmacro %}

{% macro databricks__with_definition(relation, definition) -%}
    {{ return(relation.incorporate(metadata={'sync_logs.definition': definition})) }}
{%- endmacro %}

{% macro databricks__format_of(relation) -%}
    {{ return('delta' if relation.is_delta else (relation.metadata or {}).get('Provider')) }}
{%- endmacro %}

{% macro databricks__engine_versions() -%}
    {{ return([run_query('select version()').rows[0][0], 'Databricks']) }}
{%- endmacro %}

{#
  Returns what a query can tell about the session: SQL warehouses and serverless compute answer for
  few settings.
#}
{% macro databricks__session_facts(advice) -%}
    {%- set row = run_query(sync_logs.session_query()).rows[0] -%}
    {%- if not row[1] -%}
        {%- do advice.append('Times are shown in another time zone: set TIMEZONE to UTC on the SQL warehouse.') -%}
    {%- endif -%}
    {{ return([
        ['time zone', row[0] ~ (', as required' if row[1] else ', differs from UTC')],
        ['ANSI mode', ('on' if row[2] else 'off') ~ '; the tables are the same either way'],
    ]) }}
{%- endmacro %}
