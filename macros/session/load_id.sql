{#
  Returns the id of this build's load. Ids sort by start time and are never reused. Every row that
  the build writes has this id. dbt v2 formats nanoseconds where dbt 1 has microseconds, so the rest is
  cut off.
#}
{% macro load_id() -%}
    {{ return(run_started_at.strftime('%Y%m%dT%H%M%S%f')[:21] ~ '_' ~ invocation_id[:8]) }}
{%- endmacro %}

{#
  Returns the id of the load that an operation writes. An operation at the end of a build has a load
  of its own.
#}
{% macro operation_load_id() -%}
    {{ return(sync_logs.load_id() ~ ('' if flags.WHICH == 'run-operation' else '_compact')) }}
{%- endmacro %}
