{#
  Stops an operation, before it writes anything, if its organisation or sync has no runs: this is
  probably a typo.
#}
{% macro check_scope(previous_load_id, organization_id, sync_id) -%}
    {%- set scope = sync_logs.of_sync(sync_id, organization_id) -%}
    {%- if scope and not run_query(
        'select 1 from ' ~ sync_logs.state_table('int_runs__planned') ~ " where load_id = '" ~ previous_load_id ~ "'"
        ~ scope ~ ' limit 1').rows -%}
        {%- do exceptions.raise_compiler_error(
            'No run of ' ~ ('sync ' ~ sync_id ~ ' of ' if sync_id is not none else '')
            ~ 'organisation ' ~ organization_id ~ ' is known in ' ~ sync_logs.mart_schema()
            ~ '; look up the ids in sync_runs.') -%}
    {%- endif -%}
{%- endmacro %}
