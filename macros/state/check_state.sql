{#
  Stops a build that would begin a second state of a lake by mistake, for example because of a
  project-wide `+schema`. It would read all files again, and would lack the history that was deleted
  from the lake.
#}
{% macro check_state_is_here() -%}
    {%- set known = sync_logs.pointer_facts().get('sync_logs.state_schema') -%}
    {%- set here = sync_logs.state_schema() -%}
    {%- if known and known | lower != here | lower and not var('sync_logs_new_state')
        and not sync_logs.has_commit(here) and sync_logs.has_commit(known) -%}
        {%- do sync_logs.stop(
            'The state of this lake is in the schema ' ~ known ~ ', and this build would begin another one in ' ~ here
            ~ '. Revert the `+schema` that dbt_project.yml now sets for the models of sync_logs, or move the tables of '
            ~ known ~ ' there; to start over, build once with --vars "sync_logs_new_state: true".') -%}
    {%- endif -%}
{%- endmacro %}

{# Returns whether a schema has a committed state. #}
{% macro has_commit(schema) -%}
    {%- set current = api.Relation.create(
        database=sync_logs.state_catalog(), schema=schema, identifier='sync_load_current') -%}
    {{ return(sync_logs.table_or_view(current) is not none
        and run_query('select load_id from ' ~ current).rows[0][0] != '') }}
{%- endmacro %}

{# Stops tests of tables that do not exist yet. Unit tests need no tables. #}
{% macro check_is_built_for_tests() -%}
    {%- if flags.WHICH == 'test' and not sync_logs.has_commit(sync_logs.state_schema()) -%}
        {%- for unique_id in selected_resources if unique_id.startswith('test.sync_logs.') -%}
            {%- do sync_logs.stop_unbuilt() -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{% macro stop_unbuilt() -%}
    {%- do sync_logs.stop(
        'Nothing has been built in the schema ' ~ sync_logs.mart_schema() ~ ' yet; run `dbt build` first.') -%}
{%- endmacro %}
