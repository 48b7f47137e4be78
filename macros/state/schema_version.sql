{#
  Returns the version of the state's layout. To change the layout, increase the version and define
  in `migrate_state` how the tables of the previous version become those of the new one.
    1  the first
    2  pruned, late and purged runs; operations in addition to builds; the load before a build
    3  the history of records, their errors and the changes of their fields
    4  outcomes no longer have a table of their own
    5  the summary of a run records whether it has aborted rows, not how many
    6  checkpoints that have a base, and a commit that records whether there is one
    7  a commit that records what the words of the log meant to the build that wrote it
    8  answers are stored with each load
    9  each changelog row has the state of its record after it; a checkpoint has what changed since
       the previous one; a finding about a file records whether the next build checks it again
   10  the plan of the files has the load that was committed before it as `previous_load_id`
   11  sources that are tables: their rows, and what they report about runs
   12  the vendor of each run, and how many rows of its source are deleted or duplicated
   13  the commit checks that each model was written; older versions could publish a failed one
   14  a checkpoint has all records of its sync, and the changelog has what changed since it
   15  the source of each organisation is a table, no longer columns of each file and run; landed rows
       of files of other types, and of tables, are in the tables of all landed rows
  16  each run says which checkpoint is the last of its sync, and when it was replaced
  17  failures of records, in states and changelog rows and as rows when they end
  18  patterns of failure reasons, version 1 of their rules
  19  each run says whether its log is complete
  20  profiles of the fields of payloads; runs from before have none
  21  each source says whether it logs records that were accepted; each alert has the run of its value
#}
{% macro schema_version() -%}
    {{ return(21) }}
{%- endmacro %}

{# Returns the version of the existing state; none if nothing has been committed yet. #}
{% macro found_schema_version() -%}
    {%- set row = run_query('select * from ' ~ sync_logs.state_table('sync_load_current')).rows[0] -%}
    {%- if not row['load_id'] -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return(row['schema_version'] if 'schema_version' in row.keys() else 1) }}
{%- endmacro %}

{#
  Returns a SQL literal: whether the existing state may lack rows, or lacks columns, that only a
  replay of every run can add. Version 17 added failures, version 18 their patterns. Before version 13, dbt's
  `on_error: continue` could publish a load in which a model had failed. What was pruned before
  stays unknown.
#}
{% macro is_replay_due() -%}
    {%- if not sync_logs.is_building() or model.resource_type != 'model' or sync_logs.is_idle() -%}
        {{ return('false') }}
    {%- endif -%}
    {%- set found = sync_logs.found_schema_version() -%}
    {{ return('true' if found is not none and found < 18 else 'false') }}
{%- endmacro %}

{# Stops an operation if the state has another version than this package. #}
{% macro check_schema_version() -%}
    {%- set current = sync_logs.table_or_view(sync_logs.state_table('sync_load_current')) -%}
    {%- set found = sync_logs.found_schema_version() if current is not none -%}
    {%- if not found -%}
        {%- do sync_logs.stop_unbuilt() -%}
    {%- elif found < sync_logs.schema_version() -%}
        {%- do sync_logs.stop_unmigrated(found) -%}
    {%- endif -%}
    {%- do sync_logs.check_not_newer(found) -%}
{%- endmacro %}

{% macro stop_unmigrated(found) -%}
    {%- do sync_logs.stop(
        'The state of the schema ' ~ sync_logs.mart_schema() ~ ' has version ' ~ found ~ ', this package needs '
        ~ 'version ' ~ sync_logs.schema_version() ~ '. Run `dbt build` once, which migrates it.') -%}
{%- endmacro %}

{% macro check_not_newer(found) -%}
    {%- if found is not none and found > sync_logs.schema_version() -%}
        {%- do sync_logs.stop(
            'The state of the schema ' ~ sync_logs.mart_schema() ~ ' was written by a newer sync_logs (version '
            ~ found ~ ' of the state; this package knows ' ~ sync_logs.schema_version()
            ~ '). Install that version or a newer one.') -%}
    {%- endif -%}
{%- endmacro %}
