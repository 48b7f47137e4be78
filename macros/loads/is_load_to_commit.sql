{#
  Returns whether a build publishes its load: only if it has written all of it. A build that found
  nothing new, or that has not written a model, keeps the committed load.
#}
{% macro is_load_to_commit() -%}
    {%- if sync_logs.is_idle() -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set missing = sync_logs.unwritten_models() -%}
    {%- if not missing -%}
        {%- set current = sync_logs.committed_load_id() -%}
        {%- do sync_logs.check_previous_load(current, sync_logs.planned_previous_load() or current) -%}
        {%- do sync_logs.check_building_load() -%}
    {%- else -%}
        {%- do exceptions.warn(
            'Nothing new is published, because this build has not written ' ~ missing[:3] | join(', ')
            ~ (' and ' ~ (missing | length - 3) ~ ' other models' if missing | length > 3 else '')
            ~ '. Run `dbt build` without a selection; if a model fails, correct its error first.') -%}
    {%- endif -%}
    {{ return(not missing) }}
{%- endmacro %}
