{# Stops the run on settings that contradict themselves, naming the setting and the mend. #}
{% macro check_settings() -%}
    {%- set minutes = var('sync_logs_settle_minutes') -%}
    {%- if minutes is not number or minutes < 0 or minutes > 525600 -%}
        {%- do exceptions.raise_compiler_error(
            'sync_logs_settle_minutes is ' ~ minutes ~ '; give a number of minutes from 0 to 525600.') -%}
    {%- endif -%}
    {%- if not sync_logs.lake_path() -%}
        {%- do exceptions.raise_compiler_error(
            'sync_logs_lake_path is empty; set it, or SYNC_LOGS_LAKE_PATH, to the root of the lake.') -%}
    {%- endif -%}
    {%- set as_of = var('sync_logs_as_of', none) -%}
    {%- if as_of is not none
        and not modules.re.match('^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})?)?$', as_of | string) -%}
        {%- do exceptions.raise_compiler_error(
            "sync_logs_as_of is '" ~ as_of ~ "'; give ISO 8601, for instance 2026-01-31T06:00:00Z.") -%}
    {%- endif -%}
{%- endmacro %}
