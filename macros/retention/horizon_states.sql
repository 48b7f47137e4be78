{# States of the records after the last pruned run of each sync that has no checkpoint there. #}
{% macro _insert_horizon_states(base_load_id) -%}
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
    starts as (
        select
            checkpoints.organization_id,
            checkpoints.sync_id,
            max(base_runs.position) as position,
            max_by(base_runs.checkpoint_load_id, base_runs.position) as checkpoint_load_id
        from checkpoints
        inner join base_runs
            on
                checkpoints.organization_id = base_runs.organization_id
                and checkpoints.sync_id = base_runs.sync_id
                and checkpoints.checkpoint_position > base_runs.position
        where base_runs.checkpoint_load_id is not null
        group by checkpoints.organization_id, checkpoints.sync_id
    ),

    runs_followed as (
        select base_runs.*
        from base_runs
        inner join checkpoints
            on
                base_runs.organization_id = checkpoints.organization_id
                and base_runs.sync_id = checkpoints.sync_id
                and base_runs.position <= checkpoints.checkpoint_position
        left join starts
            on
                base_runs.organization_id = starts.organization_id
                and base_runs.sync_id = starts.sync_id
        where base_runs.position > coalesce(starts.position, 0)
    ),

    {% for name, table, runs, reference in [
        ('seed_states', 'int_record_states__built', 'starts', 'checkpoint'),
        ('seed_errors', 'int_record_errors__built', 'starts', 'checkpoint'),
        ('changelog', 'int_changelog__built', 'runs_followed', 'built'),
        ('membership_events', 'int_membership_events__built', 'runs_followed', 'built')] %}
        {{ name }} as (
            select {{ name }}_rows.*
            from {{ sync_logs.state_table(table) }} as {{ name }}_rows
            inner join {{ runs }}
                on
                    {{ name }}_rows.load_id = {{ runs }}.{{ reference }}_load_id
                    and {{ name }}_rows.organization_id = {{ runs }}.organization_id
                    and {{ name }}_rows.sync_id = {{ runs }}.sync_id
                    and {{ name }}_rows.position = {{ runs }}.position
        ),
    {% endfor %}
{% endmacro %}
