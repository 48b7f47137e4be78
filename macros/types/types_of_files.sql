{#
  Returns {column: type} of the lake table's columns in one file. A column that the file lacks has the
  type of the lake table. Empty if Spark cannot infer the types, or if the type of a time column
  cannot represent a time.
  Arguments: relative_path (string); declared_columns (string): names and types in the lake table.
#}
{% macro types_of_file(relative_path, declared_columns) -%}
    {%- set file = sync_logs.lake_file(relative_path) -%}
    {%- set found = sync_logs.described_columns(file) -%}
    {%- if found is none -%}
        {{ return({}) }}
    {%- endif -%}
    {%- set types = {} -%}
    {%- for column in declared_columns.split(', ') -%}
        {%- set name, declared = column.split(' ') -%}
        {%- set type = sync_logs._table_type(file, name, found.get(name, declared), declared) -%}
        {%- do types.update({name: type}) -%}
        {%- if declared == 'timestamp' and sync_logs.kind_of_type(type) not in (
            'string', 'timestamp', 'date', 'tinyint', 'smallint', 'int', 'bigint', 'decimal',
            'float', 'double') -%}
            {{ return({}) }}
        {%- endif -%}
    {%- endfor -%}
    {#- not every name of a field can be quoted, so some types cannot be declared -#}
    {%- set columns = sync_logs.text_literal(types.items() | map('join', ' ') | join(', ')) -%}
    {{ return(types if sync_logs.can_be_planned("select from_json('', " ~ columns ~ ')') else {}) }}
{%- endmacro %}

{#
  Returns one parquet file of the lake as a SQL relation. Its path is escaped so that Spark reads every
  character literally.
  Arguments: relative_path (string).
#}
{% macro lake_file(relative_path) -%}
    {%- set path = modules.re.sub('([\\\\*?{}\\[\\]])', '\\\\\\1', sync_logs.lake_path() ~ '/' ~ relative_path) -%}
    {{ return('parquet.`' ~ path | replace('`', '``') ~ '`') }}
{%- endmacro %}

{#
  Returns the type with which a table reads a column.
  Arguments: file (SQL); name (string); found (string): the type as Spark describes it; declared
  (string): the type in the lake table.
#}
{% macro _table_type(file, name, found, declared) -%}
    {%- if found == 'void' -%}
        {{ return(declared) }}
    {%- elif found == 'timestamp_ntz' -%}
        {# read as a time with a zone, it is UTC, whatever the session's time zone #}
        {{ return('timestamp') }}
    {%- elif '<' not in found -%}
        {{ return(found) }}
    {%- endif -%}
    {# `describe` truncates long types, and the name of a field may need quotes #}
    {%- set whole = run_query('select typeof(' ~ name ~ ') from ' ~ file ~ ' limit 1').rows[0][0] -%}
    {{ return(modules.re.sub('([<,])([^<>,:]+):', '\\1`\\2`:', whole | replace('`', '``'))) }}
{%- endmacro %}
