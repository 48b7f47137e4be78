{#
  When a build writes a full checkpoint of a sync, and when a delta checkpoint: see `state_as_of`.
#}

{#
  Returns a SQL condition: the changes since the base are stored as a delta. They may be at most a
  quarter of the base, because readers look up all of them.
  Arguments: changed_count, base_count (SQL expressions): numbers of records.
#}
{% macro is_small_change(changed_count, base_count) -%}
    {{ changed_count }} <= {{ base_count }} / 4
{%- endmacro %}

{#
  Returns the number of states, of all replayed syncs together, up to which each build writes full
  checkpoints. This is faster than the queries that find what has changed, and readers have one
  checkpoint.
#}
{% macro most_states_rewritten() -%}
    {{ return(100000) }}
{%- endmacro %}

{#
  Returns how many changes all syncs together may have since their bases. Readers join them in
  memory.
#}
{% macro most_changes() -%}
    {{ return(1000000) }}
{%- endmacro %}

{#
  Returns whether the load that a build publishes has a delta checkpoint.
  Arguments: load_id (string).
#}
{% macro has_changes_to_commit(load_id) -%}
    {%- if not sync_logs.is_building() or sync_logs.is_idle() -%}
        {{ return(false) }}
    {%- endif -%}
    {{ return(sync_logs.has_changes(load_id)) }}
{%- endmacro %}

{#
  Returns whether a load has a delta checkpoint.
  Arguments: load_id (string).
#}
{% macro has_changes(load_id) -%}
    {%- set query -%}
        select position
        from {{ sync_logs.state_table('int_runs__planned') }}
        where
            load_id = '{{ load_id }}'
            and checkpoint_base_position is not null
        limit 1
    {%- endset -%}
    {{ return(run_query(query).rows | length > 0) }}
{%- endmacro %}

{#
  Query: the checkpoints that this build writes. Columns: organization_id, sync_id,
  checkpoint_position, is_full, previous_position (of the previous checkpoint,
  since which the records of a delta have changed).
  Arguments: runs (name of a step): the rows of this load in int_runs__planned.
#}
{% macro new_checkpoints(runs) %}
    select
        organization_id,
        sync_id,
        position as checkpoint_position,
        checkpoint_base_position is null as is_full,
        lag(position, 1, start_position) over (
            partition by organization_id, sync_id
            order by position asc
        ) as previous_position
    from {{ runs }}
    where is_replayed and checkpoint_load_id = {{ sync_logs.this_load() }}
{% endmacro %}

{#
  Returns how many records the replayed runs have in the syncs that continue from a checkpoint; 0 if
  every replayed sync starts with its first run. The models that look up the start of a replay then
  have nothing to do.
#}
{% macro continued_record_count() -%}
    {%- if not sync_logs.is_building() or model.resource_type != 'model' or sync_logs.is_idle() -%}
        {{ return(1) }}
    {%- endif -%}
    {%- set query -%}
        select sum(greatest(record_count, 1)) as record_count
        from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ sync_logs.load_id() }}' and is_replayed and start_position > 0
    {%- endset -%}
    {{ return(run_query(query).rows[0][0] or 0) }}
{%- endmacro %}

{#
  Query: the runs of the syncs that continue from a checkpoint in this build, and whether the next
  checkpoint is full (is_next_full).
  Arguments: runs (name of a step): the rows of this load in int_runs__planned.
#}
{% macro continued_runs(runs) %}
    select
        *,
        max(case when is_replayed then checkpoint_base_position end) over (
            partition by organization_id, sync_id
        ) is null as is_next_full
    from {{ runs }}
    where start_position > 0 and start_position < sync_run_count
{% endmacro %}
