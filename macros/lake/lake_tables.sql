{#
  Creates the lake as Spark tables: pointer tables with explicit schemas and no data of their own.
  They are created again if the lake's path has changed. Spark caches a listing of each, which every
  build clears.
#}
{% macro create_lake_tables() -%}
    {%- set path = sync_logs.lake_path() -%}
    {%- set known_path = sync_logs.pointer_facts().get('sync_logs.lake_path') -%}
    {%- set has_own_catalog = sync_logs.has_own_catalog() -%}
    {%- set has_pointers = sync_logs.engine().has_pointers -%}
    {%- do adapter.create_schema(sync_logs.lake_relation()) -%}
    {%- if has_own_catalog -%}
        {%- do adapter.create_schema(sync_logs.lake_location()) -%}
    {%- endif -%}
    {%- if known_path is not none and known_path != path -%}
        {%- if flags.EMPTY or flags.WHICH == 'test' -%}
            {# the tables keep pointing at the known lake #}
            {{ return('') }}
        {%- endif -%}
        {%- if sync_logs.lake_source() and not known_path.endswith('/no_lake') -%}
            {%- do sync_logs.check_lake_is_known(known_path, path) -%}
        {%- endif -%}
    {%- endif -%}
    {%- for name in sync_logs.lake_pointers() if has_pointers -%}
        {#- Spark's catalog may be in memory, or of another machine that does not know of a move -#}
        {%- do sync_logs._point_at_lake(name, path, is_replaced=known_path != path or has_own_catalog) -%}
    {%- endfor -%}
    {%- if not has_pointers or (has_own_catalog and known_path != path) -%}
        {%- do run_query(
            'create or replace view ' ~ sync_logs.lake_location() ~ ' tblproperties ('
            ~ sync_logs.pointer_properties(path) ~ ') as select ' ~ sync_logs.text_literal(path) ~ ' as lake_path') -%}
    {%- endif -%}
{%- endmacro %}

{#
  Arguments: name (string): of the source; path (string): root of the lake; is_replaced (boolean):
  whether the table may point elsewhere.
#}
{% macro _point_at_lake(name, path, is_replaced) -%}
    {%- set relation = sync_logs.lake_relation(name) -%}
    {%- if is_replaced -%}
        {%- do run_query('drop table if exists ' ~ relation) -%}
    {%- endif -%}
    {%- if is_replaced or load_relation(relation) is none -%}
        {%- do sync_logs.create_pointer(relation, name, path) -%}
    {%- else -%}
        {#- `refresh table` would itself list the lake once or twice before the first query does -#}
        {%- do run_query(
            'alter table ' ~ relation ~ ' set tblproperties (' ~ sync_logs.pointer_properties(path) ~ ')') -%}
    {%- endif -%}
    {#- with the catalog of Iceberg, neither makes Spark list the files again -#}
    {%- if sync_logs.file_format() == 'iceberg' -%}
        {%- do run_query('refresh table ' ~ relation) -%}
    {%- endif -%}
{%- endmacro %}
