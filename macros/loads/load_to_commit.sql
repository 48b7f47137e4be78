{#
  Returns the id that the commit of a build publishes: this build's load, but only if the build has
  written all of it. A build that found nothing new, or that has not written a model, keeps the
  committed load.
#}
{% macro load_to_commit() -%}
    {%- if not sync_logs.is_building() -%}
        {{ return(sync_logs.load_id()) }}
    {%- endif -%}
    {%- set target_load_id = sync_logs.target_load_id() -%}
    {%- if target_load_id != sync_logs.load_id() -%}
        {#- this build is idle -#}
        {{ return(target_load_id) }}
    {%- endif -%}
    {%- set current = sync_logs.committed_load_id() -%}
    {%- set missing = sync_logs.unwritten_models() -%}
    {%- if not missing -%}
        {%- do sync_logs.check_previous_load(current, sync_logs.planned_previous_load() or current) -%}
        {%- do sync_logs.check_building_load() -%}
        {{ return(sync_logs.load_id()) }}
    {%- endif -%}
    {%- do exceptions.warn(
        'Nothing new is published, because this build has not written ' ~ missing[:3] | join(', ')
        ~ (' and ' ~ (missing | length - 3) ~ ' other models' if missing | length > 3 else '')
        ~ '. Run `dbt build` without a selection; if a model fails, correct its error first.') -%}
    {{ return(current) }}
{%- endmacro %}
