{#
  Writes the states of the records after the last pruned run of each sync that has no checkpoint
  there.
#}
{% macro insert_horizon_states(previous_load_id) -%}
    {%- set states -%}
        with

        {{ sync_logs._horizon_steps(previous_load_id, 'record_states') }},

        changelog_of_records as (
            select
                *,
                min(position) over (partition by organization_id, sync_id, identifier) as first_position,
                lead(position) over (
                    partition by organization_id, sync_id, identifier
                    order by {{ sync_logs.changelog_order(sync_logs.is_invalid('record_status')) }}
                ) is null as is_last
            from changelog
            where identifier is not null
        ),

        last_rows as (
            select * from changelog_of_records
            where is_last
        ),

        starting_states as (
            select
                record_states_as_of.*,
                last_rows.first_position as first_replayed_position
            from record_states_as_of
            left join last_rows
                on
                    record_states_as_of.organization_id = last_rows.organization_id
                    and record_states_as_of.sync_id = last_rows.sync_id
                    and record_states_as_of.identifier = last_rows.identifier
        ),

        replacements as (
            {{ sync_logs.replacements('base_runs') }}
        ),

        {{ sync_logs.record_states_at('last_rows', 'starting_states', 'checkpoints', 'replacements') }}
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_record_states__built', states) -%}
    {%- set errors -%}
        with

        {{ sync_logs._horizon_steps(previous_load_id, 'record_errors') }},

        {{ sync_logs.record_errors_at('changelog', 'record_errors_as_of', 'checkpoints') }}
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_record_errors__built', errors) -%}
{%- endmacro %}

{#
  Named steps: the checkpoints to write, the state at the nearest checkpoint before each
  (`<table>_as_of`), and the changelog of the runs in between.
  Arguments: previous_load_id (string); table (string): the source of states or errors.
#}
{% macro _horizon_steps(previous_load_id, table) %}
    base_runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ previous_load_id }}'
    ),

    new_runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ sync_logs.operation_load_id() }}'
    ),

    {{ table }} as (
        select * from {{ sync_logs.committed(table) }}
    ),

    checkpoints as (
        select
            new_runs.organization_id,
            new_runs.sync_id,
            new_runs.position as checkpoint_position,
            true as is_full
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

    -- the nearest earlier checkpoint, if any; the changelog of later runs is added to it
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
            checkpoints.checkpoint_position,
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

    {{ sync_logs.state_as_of(table, 'runs_to_start', 'found_position') }},

    changelog as (
        select
            changelog_rows.*,
            runs_to_start.checkpoint_position
        from {{ sync_logs.state_table('int_changelog__built') }} as changelog_rows
        inner join runs_to_start
            on
                changelog_rows.load_id = runs_to_start.built_load_id
                and changelog_rows.organization_id = runs_to_start.organization_id
                and changelog_rows.sync_id = runs_to_start.sync_id
                and changelog_rows.position = runs_to_start.position
        where runs_to_start.position > runs_to_start.found_position
    )
{% endmacro %}
