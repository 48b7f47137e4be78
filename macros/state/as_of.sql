{# "Now" of this build as a timestamp literal: the setting, else the start of the build. #}
{% macro as_of() -%}
    {%- set given = var('sync_logs_as_of', none) -%}
    {%- if given is none -%}
        {%- set given = run_started_at.strftime('%Y-%m-%dT%H:%M:%S.%fZ') -%}
    {%- elif not modules.re.search('(Z|[+-][0-9]{2}:[0-9]{2})$', given | string) -%}
        {%- set given = (given | string) ~ 'Z' -%}
    {%- endif -%}
    {{ return("timestamp '" ~ given ~ "'") }}
{%- endmacro %}
