{#
  The tables of a source, as a model of its adapter reads them. A model declares in its `meta` which
  tables and columns it reads: `reads: {table: {column: needed or optional}}`. A table with a needed
  column must exist. Everything else may be missing, and is null.
#}

{#
  Returns where a table of a source is, as text; none if the source does not say it.
  Arguments: source: from `table_sources`; table (string): the vendor's name.
#}
{% macro source_relation(source, table) -%}
    {%- set name = source.relations.get(table) or (source.schema ~ '.' ~ table if source.schema) -%}
    {{ return(sync_logs.named_relation(name) | string if name) }}
{%- endmacro %}

{#
  Returns {name in lower case: type} of the columns of a table of a source; empty if it does not
  exist. The source keeps them, so the caller asks Spark once.
#}
{% macro source_columns(source, table) -%}
    {%- if not execute or not sync_logs.source_relation(source, table) -%}
        {{ return({}) }}
    {%- endif -%}
    {%- set known = source.setdefault('columns', {}) -%}
    {%- if table not in known -%}
        {%- do known.update({table: sync_logs.described_columns(sync_logs.source_relation(source, table)) or {}}) -%}
    {%- endif -%}
    {{ return(known[table]) }}
{%- endmacro %}

{# Returns whether a source names a model or seed of the user's project, which a build makes itself. #}
{% macro names_models(source) -%}
    {%- for name in source.relations.values() if sync_logs.is_name_of_model(name) -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}

{#
  Returns whether the tables of a source have certain columns.
  Arguments: source; tables (mapping): {table: list of columns}.
#}
{% macro has_columns(source, tables) -%}
    {%- for table, columns in tables.items() -%}
        {%- for column in columns if column not in sync_logs.source_columns(source, table) -%}
            {{ return(false) }}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(true) }}
{%- endmacro %}

{#
  Returns the sources of a type whose tables have certain columns.
  Arguments: type (string); tables (mapping): {table: list of columns}.
#}
{% macro sources_with(type, tables) -%}
    {%- set found = [] -%}
    {%- for source in sync_logs.table_sources(type) if sync_logs.has_columns(source, tables) -%}
        {%- do found.append(source) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  Returns a column of a source with the type that our tables have, or a typed null if it is missing.
  Arguments: source, table; name (string); type (string): string, timestamp or bigint.
#}
{% macro source_column(source, table, name, type='string') -%}
    {%- set found = sync_logs.source_columns(source, table).get(name) -%}
    {%- if found is none or found == 'void' -%}
        {{ return('cast(null as ' ~ type ~ ')') }}
    {%- elif found == type -%}
        {{ return(name) }}
    {%- elif type == 'bigint' -%}
        {{ return('try_cast(' ~ name ~ ' as bigint)') }}
    {%- elif type == 'timestamp' and found == 'timestamp_ntz' -%}
        {{ return('cast(' ~ name ~ ' as timestamp)') }}
    {%- endif -%}
    {{ return(sync_logs.converted_column(name, found, is_time=type == 'timestamp')) }}
{%- endmacro %}

{#
  Returns the greatest value of a column of a source in a group, or a typed null if the column is
  missing: a database that computes max(null) for Spark is asked for the text 'null'.
  Arguments: source, table; name (string); type (string): string, timestamp or bigint.
#}
{% macro greatest_of_column(source, table, name, type='string') -%}
    {%- set column = sync_logs.source_column(source, table, name, type) -%}
    {{ return('max(' ~ column ~ ')' if name in sync_logs.source_columns(source, table) else column) }}
{%- endmacro %}

{#
  Returns a condition: rows of the runs that this build reads. Their ids are literals of the type of
  the column, so that a database finds them by an index and a partitioned table by its partitions.
  Above `limit` runs, the join of the caller does it alone.
  Arguments: source, table, column (string); file_kind (string): batch or metadata.
#}
{% macro planned_runs_only(source, table, column, file_kind) -%}
    {%- set limit = 5000 -%}
    {%- if not sync_logs.is_building() -%}
        {{ return('true') }}
    {%- elif sync_logs.is_idle() -%}
        {{ return('false') }}
    {%- endif -%}
    {%- set ids = run_query(
        'select distinct sync_run_id from ' ~ sync_logs.state_table('int_files__planned')
        ~ " where load_id = '" ~ sync_logs.load_id() ~ "' and action = 'load' and file_path is null and file_kind = '"
        ~ file_kind ~ "' and file_name = '" ~ table ~ "' and organization_id = " ~ sync_logs.text_literal(source.organization_id)
        ~ ' limit ' ~ (limit + 1)).columns[0].values() -%}
    {%- if ids | length > limit -%}
        {{ return('true') }}
    {%- elif not ids -%}
        {{ return('false') }}
    {%- endif -%}
    {%- set is_text = sync_logs.source_columns(source, table).get(column) == 'string' -%}
    {{ return(column ~ ' in (' ~ (sync_logs.text_literals(ids) if is_text else ids | join(', ')) ~ ')') }}
{%- endmacro %}
