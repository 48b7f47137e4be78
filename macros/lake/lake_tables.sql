{#
  Creates the lake as Spark tables: pointer tables with explicit schemas and no data of their own.
  They are created again if the lake's path has changed. Spark caches a listing of each, which every
  build clears.
#}
{% macro create_lake_tables() -%}
    {%- set path = sync_logs.lake_path() -%}
    {%- set known_path = sync_logs.pointer_facts().get('sync_logs.lake_path') -%}
    {%- do adapter.create_schema(sync_logs.lake_relation()) -%}
    {%- if known_path is not none and known_path != path -%}
        {%- if flags.EMPTY or flags.WHICH == 'test' -%}
            {# the tables keep pointing at the known lake #}
            {{ return('') }}
        {%- endif -%}
        {%- if sync_logs.lake_source() and not known_path.endswith('/no_lake') -%}
            {%- do sync_logs.check_lake_is_known(known_path, path) -%}
        {%- endif -%}
    {%- endif -%}
    {%- for name in sync_logs.lake_pointers() -%}
        {%- do adapter.dispatch('point_at_lake', 'sync_logs')(name, path, known_path != path) -%}
    {%- endfor -%}
{%- endmacro %}

{#
  Arguments: name (string): of the source; path (string): root of the lake; is_moved (boolean):
  whether the table pointed elsewhere.
#}
{% macro default__point_at_lake(name, path, is_moved) -%}
    {%- set relation = sync_logs.lake_relation(name) -%}
    {%- set existing = load_relation(relation) -%}
    {%- if existing is not none and is_moved -%}
        {%- do run_query('drop table ' ~ relation) -%}
    {%- endif -%}
    {%- if existing is none or is_moved -%}
        {%- do sync_logs.create_pointer(relation, name, path) -%}
    {%- else -%}
        {#- `refresh table` would itself list the lake once or twice before the first query does -#}
        {%- do run_query(
            'alter table ' ~ relation ~ ' set tblproperties (' ~ sync_logs.pointer_properties(path) ~ ')') -%}
    {%- endif -%}
    {%- do sync_logs.forget_listing(relation) -%}
{%- endmacro %}
