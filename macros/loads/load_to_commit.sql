{#
  Returns the id that the commit of a build publishes: this build's load, but only if the build has
  written all of it. A build that found nothing new, or that builds only some models, keeps the
  committed load. Python models are leaves: nothing published depends on them, so the commit never
  waits for one.
#}
{% macro load_to_commit() -%}
    {%- if not sync_logs.is_building() -%}
        {{ return(sync_logs.load_id()) }}
    {%- endif -%}
    {%- if sync_logs.is_idle() -%}
        {{ return(sync_logs.target_load_id()) }}
    {%- endif -%}
    {%- set current = sync_logs.committed_load_id() -%}
    {%- set missing = [] -%}
    {%- for node in sync_logs.state_tables()
        if node.language != 'python' and node.unique_id not in selected_resources -%}
        {%- do missing.append(node.name) -%}
    {%- endfor -%}
    {%- if not missing -%}
        {%- do sync_logs.check_previous_load(current, sync_logs.planned_previous_load() or current) -%}
        {%- do sync_logs.check_building_load() -%}
        {{ return(sync_logs.load_id()) }}
    {%- endif -%}
    {%- do exceptions.warn(
        'Nothing new is published, because this run does not write a whole load (it leaves out '
        ~ missing | join(', ') ~ '). Run `dbt build` without a selection to publish.') -%}
    {{ return(current) }}
{%- endmacro %}
