{#
  Writes a checkpoint after the last pruned run of each sync that has none there, because its changelog
  before that run goes.
  Arguments: previous_load_id (string): the load that the prune starts from.
#}
{% macro insert_horizon_states(previous_load_id) -%}
    {%- set states -%}
        with

        record_states as (
            select * from {{ sync_logs.committed('record_states') }}
        ),

        {{ sync_logs._pruned_runs(previous_load_id) }},

        {{ sync_logs.state_as_of('runs_to_horizon', 'horizon_position') }}

        select * from states_as_of
        {{ sync_logs.search_order('states_as_of') }}
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_record_states__built', states) -%}
    {%- set errors -%}
        with

        record_errors as (
            select * from {{ sync_logs.committed('record_errors') }}
        ),

        {{ sync_logs._pruned_runs(previous_load_id) }},

        {{ sync_logs.errors_as_of('runs_to_horizon', 'horizon_position') }}

        select * from errors_as_of
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_record_errors__built', errors) -%}
{%- endmacro %}

{# Named steps: the changelog, and the runs of the syncs that need such a checkpoint (runs_to_horizon). #}
{% macro _pruned_runs(previous_load_id) %}
    changelog as (
        select * from {{ sync_logs.committed('changelog') }}
    ),

    previous_runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ previous_load_id }}'
    ),

    new_runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ sync_logs.operation_load_id() }}'
    ),

    horizons as (
        select
            previous_runs.organization_id,
            previous_runs.sync_id,
            previous_runs.position as horizon_position
        from previous_runs
        inner join new_runs
            on
                previous_runs.organization_id = new_runs.organization_id
                and previous_runs.sync_id = new_runs.sync_id
                and previous_runs.position = new_runs.position
        where
            new_runs.checkpoint_load_id = '{{ sync_logs.operation_load_id() }}'
            and previous_runs.checkpoint_load_id is null
    ),

    runs_to_horizon as (
        select
            previous_runs.*,
            horizons.horizon_position
        from previous_runs
        inner join horizons
            on
                previous_runs.organization_id = horizons.organization_id
                and previous_runs.sync_id = horizons.sync_id
    )
{% endmacro %}
