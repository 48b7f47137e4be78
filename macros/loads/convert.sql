{#
  Copies the tables of the state to the format of `sync_logs_file_format`, one after the other. A
  table is dropped only when its copy is complete, and the copy then gets its name. A killed
  conversion is completed by the next one; until then, builds stop. The table that every build
  checks comes last.
    dbt run-operation sync_logs_convert
#}
{% macro sync_logs_convert() -%}
    {%- do sync_logs.check_operation('sync_logs_convert', {}, kwargs) -%}
    {%- do sync_logs.begin_operation() -%}
    {%- do sync_logs.check_engine() -%}
    {%- set converted = [] -%}
    {%- for name, columns in sync_logs._tables_to_convert().items() -%}
        {%- if sync_logs._convert_table(name, columns) -%}
            {%- do converted.append(name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do log(
        converted | length ~ ' tables of ' ~ sync_logs.state_schema() ~ ' were copied to the format '
        ~ sync_logs.file_format() ~ '.', info=true) -%}
{%- endmacro %}

{#
  Returns {name of a table: its columns}, in the order in which they are copied.
#}
{% macro _tables_to_convert() -%}
    {%- set tables = {'purged_records': sync_logs.purge_columns()} -%}
    {%- for node in sync_logs.state_tables() -%}
        {%- do tables.update({node.name: sync_logs.load_columns(node)}) -%}
    {%- endfor -%}
    {{ return(tables) }}
{%- endmacro %}

{# Returns whether a table had another format. #}
{% macro _convert_table(name, columns) -%}
    {%- set relation = sync_logs.state_table(name) -%}
    {%- set copy = sync_logs.copy_of(relation) -%}
    {%- set found = load_relation(relation) -%}
    {%- if found is not none and sync_logs.format_of(found) == sync_logs.file_format() -%}
        {{ return(false) }}
    {%- endif -%}
    {%- if found is not none -%}
        {%- do log('Copying ' ~ relation ~ ' ...', info=true) -%}
        {%- do run_query('drop table if exists ' ~ copy ~ ' purge') -%}
        {%- do sync_logs.create_stored_table(copy, columns) -%}
        {%- set names = columns | map(attribute='name') | join(', ') -%}
        {%- do run_query(
            'insert into ' ~ copy ~ ' (' ~ names ~ ', load_id) select ' ~ names ~ ', load_id from ' ~ relation) -%}
        {%- do run_query('drop table ' ~ relation ~ ' purge') -%}
        {%- do adapter.cache_dropped(relation) -%}
    {%- endif -%}
    {%- do run_query('alter table ' ~ copy ~ ' rename to ' ~ relation) -%}
    {{ return(true) }}
{%- endmacro %}
