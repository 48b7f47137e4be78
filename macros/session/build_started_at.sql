{# Returns the start of this build as a timestamp literal. #}
{% macro build_started_at() -%}
    {{ return("timestamp '" ~ run_started_at.strftime('%Y-%m-%dT%H:%M:%S.%fZ') ~ "'") }}
{%- endmacro %}
