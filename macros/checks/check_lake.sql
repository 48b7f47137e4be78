{#
  Stops a build that would mix two lakes in one warehouse. Arguments: known_path, path (strings).
#}
{% macro check_lake_is_known(known_path, path) -%}
    {%- set current = sync_logs.state_table('sync_load_current') -%}
    {%- if load_relation(current) is not none and not var('sync_logs_lake_moved') -%}
        {%- set committed = run_query('select load_id from ' ~ current) -%}
        {%- if committed.rows[0][0] -%}
            {%- do exceptions.raise_compiler_error(
                'The schema ' ~ sync_logs.mart_schema() ~ ' was built from ' ~ known_path ~ ', not from ' ~ path
                ~ '. Set SYNC_LOGS_HOME to another folder for another lake; if the same lake has '
                ~ 'moved, build once with --vars "sync_logs_lake_moved: true".') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{# Stops a build on a lake without a single file, before anything is written. #}
{% macro check_lake() -%}
    {%- set found = run_query(
        'select 1 from ' ~ source('sync_logs_lake', 'files') ~ ' limit 1') -%}
    {%- if found.rows | length == 0 -%}
        {%- do exceptions.raise_compiler_error(
            'No file under ' ~ sync_logs.lake_path() ~ '/sync_tracking_datasets. '
            ~ 'Set SYNC_LOGS_LAKE_PATH (or the var sync_logs_lake_path) to the root of a lake.') -%}
    {%- endif -%}
{%- endmacro %}
