{#
  Version of the layout of the state. To change the layout: count up, and say in `migrate_state` how the
  tables of the version before become those of this one.
    1  the first
    2  pruned, late and purged runs; operations beside builds; the base of a build
    3  the history of records, their errors and the changes of their fields
    4  outcomes are no table of their own any more
    5  the summary of a run says whether it has aborted rows, not how many
    6  checkpoints that have a base, and a commit that says whether there is one
    7  a commit that says what words of the log meant to the build that wrote it
    8  answers are stored with each load
    9  each row of the changelog has the state of its record after it; a checkpoint has what changed since the one
       before; a finding about a file says whether the next build looks into it
#}
{% macro schema_version() -%}
    {{ return(9) }}
{%- endmacro %}

{# Version of the state that is there; null if nothing has been committed yet. #}
{% macro found_schema_version() -%}
    {%- set row = run_query('select * from ' ~ sync_logs.state_table('sync_load_current')).rows[0] -%}
    {%- if not row['load_id'] -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return(row['schema_version'] if 'schema_version' in row.keys() else 1) }}
{%- endmacro %}

{#
  Whether the state that is there lacks what only a replay of every run can add, as a SQL literal. What was
  pruned before stays unknown.
#}
{% macro is_replay_due() -%}
    {%- if not sync_logs.is_building() or model.resource_type != 'model' or sync_logs.is_idle() -%}
        {{ return('false') }}
    {%- endif -%}
    {%- set found = sync_logs.found_schema_version() -%}
    {{ return('true' if found is not none and found < 9 else 'false') }}
{%- endmacro %}

{# Stops an operation on a state of another version than this package's. #}
{% macro check_schema_version() -%}
    {%- set found = none -%}
    {%- if load_relation(sync_logs.state_table('sync_load_current')) is not none -%}
        {%- set found = sync_logs.found_schema_version() -%}
    {%- endif -%}
    {%- if found is none -%}
        {%- do sync_logs.stop_unbuilt() -%}
    {%- endif -%}
    {%- if found < sync_logs.schema_version() -%}
        {%- do sync_logs.stop(
            'The state of the schema ' ~ sync_logs.mart_schema() ~ ' has version ' ~ found ~ ', this package works '
            ~ 'on version ' ~ sync_logs.schema_version() ~ '. Run `dbt build` once, which migrates it.') -%}
    {%- endif -%}
    {%- do sync_logs.check_not_newer(found) -%}
{%- endmacro %}

{% macro check_not_newer(found) -%}
    {%- if found is not none and found > sync_logs.schema_version() -%}
        {%- do sync_logs.stop(
            'The state of the schema ' ~ sync_logs.mart_schema() ~ ' was written by a newer sync_logs (version '
            ~ found ~ ' of the state; this package knows ' ~ sync_logs.schema_version()
            ~ '). Install that version or a newer one.') -%}
    {%- endif -%}
{%- endmacro %}
