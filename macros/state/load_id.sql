{# The id of this build's load: sorts by start, never reused. Every row that the build writes carries it. #}
{% macro load_id() -%}
    {{ return(run_started_at.strftime('%Y%m%dT%H%M%S%f') ~ '_' ~ invocation_id[:8]) }}
{%- endmacro %}
