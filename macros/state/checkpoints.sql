{# When a build writes the state of a sync whole, and when only what its runs changed: see `state_as_of`. #}

{#
  Whether what changed since the base is stored beside it, as a SQL condition: at most a quarter of it, since readers
  look for all of it. Arguments: changed_count, base_count (SQL expressions, numbers of records).
#}
{% macro is_small_change(changed_count, base_count) -%}
    {{ changed_count }} <= {{ base_count }} / 4
{%- endmacro %}

{#
  Up to how many states the replayed syncs together have them written whole by each build: that is sooner done than
  the queries that tell what changed, and readers have one checkpoint.
#}
{% macro most_states_rewritten() -%}
    {{ return(100000) }}
{%- endmacro %}

{# How many changes all syncs may have since their bases: who reads them joins them in memory. #}
{% macro most_changes() -%}
    {{ return(1000000) }}
{%- endmacro %}

{# Whether a checkpoint of the load that a build publishes has a base. Argument: load_id (string). #}
{% macro has_changes_to_commit(load_id) -%}
    {%- if not sync_logs.is_building() or sync_logs.is_idle() -%}
        {{ return(false) }}
    {%- endif -%}
    {{ return(sync_logs.has_changes(load_id)) }}
{%- endmacro %}

{# Whether a checkpoint of a load has a base. Argument: load_id (string). #}
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
  Query: the checkpoints that this build writes. Columns: organization_id, sync_id, checkpoint_position, is_whole,
  previous_position (that of the checkpoint before, from which on the records have changed). Argument: runs (step
  with the rows of this load of int_runs__planned).
#}
{% macro new_checkpoints(runs) %}
    select
        organization_id,
        sync_id,
        position as checkpoint_position,
        checkpoint_base_position is null as is_whole,
        lag(position, 1, start_position) over (
            partition by organization_id, sync_id
            order by position asc
        ) as previous_position
    from {{ runs }}
    where is_replayed and checkpoint_load_id = '{{ sync_logs.load_id() }}'
{% endmacro %}

{#
  How many records the runs hold that go on from a checkpoint, in this build; 0 if each replayed sync begins with its
  first run. What follows the start of a replay has nothing to do then.
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
  Query: the runs of the syncs that go on from a checkpoint in this build, and whether the next one is whole
  (is_next_whole). Argument: runs (step with the rows of this load of int_runs__planned).
#}
{% macro continued_runs(runs) %}
    select
        *,
        max(case when is_replayed then checkpoint_base_position end) over (
            partition by organization_id, sync_id
        ) is null as is_next_whole
    from {{ runs }}
    where start_position > 0 and start_position < sync_run_count
{% endmacro %}
