{#
  When a build writes a checkpoint of a sync: the states of all its records after its last run. Between
  two checkpoints, the changelog has what changed: see `state_as_of`.
#}

{#
  Returns a SQL condition: a replayed sync gets a new checkpoint. All replayed syncs get one if they have
  few records together. Otherwise a sync gets one if readers would have to look up too much of the
  changelog after its last one.
  Arguments (SQL expressions, numbers since the last checkpoint): run_count; record_count; states: the
  records in that checkpoint; states_of_all: in those of all replayed syncs; record_count_of_all: the
  records of this sync and of all syncs with fewer.
#}
{% macro is_checkpoint_due(run_count, record_count, states, states_of_all, record_count_of_all) -%}
    (
        {{ states_of_all }} <= {{ sync_logs.most_states_rewritten() }}
        or {{ record_count }} > {{ states }} / 4
        or {{ run_count }} > {{ sync_logs.most_runs_looked_up() }}
        or {{ record_count_of_all }} > {{ sync_logs.most_changes() }}
    )
{%- endmacro %}

{#
  Returns the number of states, of all replayed syncs together, up to which each build writes them all.
  That takes no longer than to read what has changed, and readers then read one checkpoint.
#}
{% macro most_states_rewritten() -%}
    {{ return(100000) }}
{%- endmacro %}

{# Returns the number of runs since a checkpoint up to which a sync needs no new one: each can be in a load of its own. #}
{% macro most_runs_looked_up() -%}
    {{ return(20) }}
{%- endmacro %}

{#
  Returns how many records of all syncs together may have changed since their checkpoints. Readers join
  them in memory.
#}
{% macro most_changes() -%}
    {{ return(1000000) }}
{%- endmacro %}

{#
  Returns how many records a replay reads in the syncs that continue from a state: in the replayed runs,
  and in the runs between the checkpoint and the start. 0 if every replayed sync starts with its first
  run.
#}
{% macro continued_record_count() -%}
    {%- if not sync_logs.is_building() or model.resource_type != 'model' or sync_logs.is_idle() -%}
        {{ return(1) }}
    {%- endif -%}
    {%- set query -%}
        select sum(greatest(record_count, 1)) as record_count
        from (
            select
                *,
                max(case when checkpoint_load_id is not null and position <= start_position then position end)
                    over (partition by organization_id, sync_id) as checkpoint_position
            from {{ sync_logs.state_table('int_runs__planned') }}
            where load_id = '{{ sync_logs.load_id() }}' and start_position > 0 and start_position < sync_run_count
        )
        where position > coalesce(checkpoint_position, 0)
    {%- endset -%}
    {{ return(run_query(query).rows[0][0] or 0) }}
{%- endmacro %}
