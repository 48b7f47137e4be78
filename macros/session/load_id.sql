{# The id of this build's load: sorts by start, never reused. Every row that the build writes carries it. #}
{% macro load_id() -%}
    {{ return(run_started_at.strftime('%Y%m%dT%H%M%S%f') ~ '_' ~ invocation_id[:8]) }}
{%- endmacro %}

{# The id of the load that an operation writes; one at the end of a build is not the load of the build. #}
{% macro operation_load_id() -%}
    {{ return(sync_logs.load_id() ~ ('' if flags.WHICH == 'run-operation' else '_compact')) }}
{%- endmacro %}
