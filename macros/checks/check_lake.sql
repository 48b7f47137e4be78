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
