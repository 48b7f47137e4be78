{# States of the records after the last pruned run of each sync that has no checkpoint there. #}
{% macro insert_horizon_states(base_load_id) -%}
    {%- set states -%}
        with

        {{ sync_logs._horizon_steps(base_load_id) }}

        {{ sync_logs.record_states_at(
            'changelog', 'membership_events', 'seed_states', 'checkpoints') }}
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_record_states__built', states) -%}
    {%- set errors -%}
        with

        {{ sync_logs._horizon_steps(base_load_id) }}

        {{ sync_logs.record_errors_at('changelog', 'seed_errors', 'checkpoints') }}
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_record_errors__built', errors) -%}
{%- endmacro %}

{#
  Named steps: checkpoints that are to be made, seed_states and seed_errors (those of the nearest checkpoint
  before each of them), changelog and membership_events of the runs between.
#}
{% macro _horizon_steps(base_load_id) %}
    base_runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ base_load_id }}'
    ),

    new_runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ sync_logs.operation_load_id() }}'
    ),

    checkpoints as (
        select
            new_runs.organization_id,
            new_runs.sync_id,
            new_runs.position as checkpoint_position
        from new_runs
        inner join base_runs
            on
                new_runs.organization_id = base_runs.organization_id
                and new_runs.sync_id = base_runs.sync_id
                and new_runs.position = base_runs.position
        where
            new_runs.checkpoint_load_id = '{{ sync_logs.operation_load_id() }}'
            and base_runs.checkpoint_load_id is null
    ),

    -- the nearest checkpoint before it, if there is one, and the runs after that
    starts_found as (
        select
            checkpoints.organization_id,
            checkpoints.sync_id,
            max(base_runs.position) as found_position
        from checkpoints
        inner join base_runs
            on
                checkpoints.organization_id = base_runs.organization_id
                and checkpoints.sync_id = base_runs.sync_id
                and checkpoints.checkpoint_position > base_runs.position
        where base_runs.checkpoint_load_id is not null
        group by checkpoints.organization_id, checkpoints.sync_id
    ),

    runs_to_start as (
        select
            base_runs.*,
            coalesce(starts_found.found_position, 0) as found_position
        from base_runs
        inner join checkpoints
            on
                base_runs.organization_id = checkpoints.organization_id
                and base_runs.sync_id = checkpoints.sync_id
                and base_runs.position <= checkpoints.checkpoint_position
        left join starts_found
            on
                base_runs.organization_id = starts_found.organization_id
                and base_runs.sync_id = starts_found.sync_id
    ),

    starts as (
        {{ sync_logs.checkpoint_layers('runs_to_start', 'found_position') }}
    ),

    runs_followed as (
        select * from runs_to_start
        where position > found_position
    ),

    {% for name, table in [('seed_states', 'record_states'), ('seed_errors', 'record_errors')] %}
        {% set key = sync_logs.checkpoint_key(table) %}
        {{ table }} as (
            select * from {{ sync_logs.committed(table) }}
        ),

        {{ name }}_changed as (
            {{ sync_logs.changed_keys(table, 'starts', key) }}
        ),

        {{ name }} as (
            select {{ table }}.*
            from {{ sync_logs.layered_rows(table, 'starts', name ~ '_changed', key) }}
        ),
    {% endfor %}

    {% for name, table in [
        ('changelog', 'int_changelog__built'),
        ('membership_events', 'int_membership_events__built')] %}
        {{ name }} as (
            select {{ name }}_rows.*
            from {{ sync_logs.state_table(table) }} as {{ name }}_rows
            inner join runs_followed
                on
                    {{ name }}_rows.load_id = runs_followed.built_load_id
                    and {{ name }}_rows.organization_id = runs_followed.organization_id
                    and {{ name }}_rows.sync_id = runs_followed.sync_id
                    and {{ name }}_rows.position = runs_followed.position
        ),
    {% endfor %}
{% endmacro %}
