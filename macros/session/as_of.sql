{#
  Returns "now" of this build as a timestamp literal: the setting, otherwise the start of the build.
#}
{% macro as_of() -%}
    {%- set given = var('sync_logs_as_of', none) -%}
    {{ return(sync_logs.build_started_at() if given is none else sync_logs.time_literal(given | string)) }}
{%- endmacro %}

{#
  Returns a date or time in ISO 8601 as a timestamp literal: UTC unless it has an offset, whatever
  the session's time zone.
  Arguments: at (string): as `is_time` accepts it.
#}
{% macro time_literal(at) -%}
    {%- set has_time = at | length > 10 -%}
    {%- set has_offset = modules.re.search('(Z|[+-][0-9]{2}:[0-9]{2})$', at) and has_time -%}
    {{ return("timestamp '" ~ at ~ ('' if has_time else 'T00:00:00') ~ ('' if has_offset else 'Z') ~ "'") }}
{%- endmacro %}
