{#
  Stops the run on settings that do not exist or are invalid. The message names the setting and the
  fix.
#}
{% macro check_settings() -%}
    {%- do sync_logs.check_names_of_settings() -%}
    {%- set minutes = var('sync_logs_settle_minutes') -%}
    {%- if minutes is not number or minutes is boolean or minutes < 0 or minutes > 525600 -%}
        {%- do sync_logs.stop(
            'sync_logs_settle_minutes is ' ~ minutes ~ '; give a number of minutes from 0 to 525600.') -%}
    {%- endif -%}
    {%- set days = var('sync_logs_retention_days') -%}
    {%- if days is not none and (days is not number or days is boolean or days < 0) -%}
        {%- do sync_logs.stop(
            'sync_logs_retention_days is ' ~ days ~ '; give a number of days, 0 or more, or null.') -%}
    {%- endif -%}
    {%- set loads = var('sync_logs_max_live_loads') -%}
    {%- if loads is not number or loads is boolean or loads < 2 or loads > 10000 -%}
        {%- do sync_logs.stop(
            'sync_logs_max_live_loads is ' ~ loads ~ '; give a number from 2 to 10000.') -%}
    {%- endif -%}
    {%- set price = var('sync_logs_operation_price') -%}
    {%- if price is not none and (price is not number or price is boolean or price < 0 or price > 1000000000) -%}
        {%- do sync_logs.stop(
            'sync_logs_operation_price is ' ~ price ~ '; give a number from 0 to 1000000000, or null.') -%}
    {%- endif -%}
    {%- set format = var('sync_logs_file_format') -%}
    {%- if format and format not in ['parquet', 'delta', 'iceberg'] -%}
        {%- do sync_logs.stop(
            'sync_logs_file_format is ' ~ format ~ '; give parquet, delta or iceberg.') -%}
    {%- endif -%}
    {%- for name in ['sync_logs_lake_moved', 'sync_logs_new_state'] if var(name) is not boolean -%}
        {%- do sync_logs.stop(name ~ ' is ' ~ var(name) ~ '; give true or false.') -%}
    {%- endfor -%}
    {%- set python = var('sync_logs_python_models') -%}
    {%- if python is not none and python is not boolean -%}
        {%- do sync_logs.stop('sync_logs_python_models is ' ~ python ~ '; give true, false or null.') -%}
    {%- elif python and dbt_version[0] != '1' -%}
        {%- do sync_logs.stop(
            'sync_logs_python_models is true, but dbt v2 does not run Python models on Spark; leave it out.') -%}
    {%- endif -%}
    {%- do sync_logs.check_words() -%}
    {%- if not sync_logs.lake_path() -%}
        {%- do sync_logs.stop(
            'sync_logs_lake_path is empty; set it, or SYNC_LOGS_LAKE_PATH, to the root of the lake.') -%}
    {%- endif -%}
    {%- do adapter.dispatch('check_settings_of_engine', 'sync_logs')() -%}
    {%- set as_of = var('sync_logs_as_of', none) -%}
    {%- if as_of is not none and not sync_logs.is_time(as_of | string) -%}
        {%- do sync_logs.stop(
            "sync_logs_as_of is '" ~ as_of ~ "'; give ISO 8601, for instance 2026-01-31T06:00:00Z.") -%}
    {%- endif -%}
{%- endmacro %}

{# Spark accepts every setting; another engine may not. #}
{% macro default__check_settings_of_engine() -%}
    {{ return('') }}
{%- endmacro %}
