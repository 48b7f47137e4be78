{#
  Checkpoints: the state of the records of a sync after one of its runs (int_record_states__built,
  int_record_errors__built). A checkpoint is whole, or it lies over a whole one, its base: then it has the rows
  of the records that changed since, and those stand in for what the base has of them.
#}

{#
  Whether what changed since the base is stored beside it, as a SQL condition: at most a quarter of it, since all of
  it is written again with each run. Arguments: changed_count, base_count (SQL expressions, numbers of records).
#}
{% macro is_small_change(changed_count, base_count) -%}
    {{ changed_count }} <= {{ base_count }} / 4
{%- endmacro %}

{#
  Up to how many states the replayed syncs together have them written whole by each build: that is sooner done than
  the queries that tell what changed, and readers have one layer.
#}
{% macro most_states_rewritten() -%}
    {{ return(100000) }}
{%- endmacro %}

{# How many changes all syncs may have beside their bases: who reads both joins them in memory. #}
{% macro most_changes() -%}
    {{ return(1000000) }}
{%- endmacro %}

{#
  Query: the checkpoints that the state after certain runs is read from: one row per run asked for, and one per base
  of these. Columns: those of `runs`, is_base (lies below the one asked for), has_base (lies over another one).
  Arguments: runs (step with all runs of a manifest), position (its column with the position asked for).
#}
{% macro checkpoint_layers(runs, position) %}
    select
        *,
        position != {{ position }} as is_base,
        position = {{ position }} and base_position is not null as has_base
    from (
        select
            *,
            max(case when position = {{ position }} then checkpoint_base_position end)
                over (partition by organization_id, sync_id) as base_position
        from {{ runs }}
    )
    where position = {{ position }} or position = base_position
{% endmacro %}

{#
  Query: the keys of rows that stand in for rows of a base. Arguments: rows (step with the table of checkpoints),
  layers (step, a query of `checkpoint_layers`), key (of `checkpoint_key`), has_changes (SQL
  condition: false if no checkpoint at all has a base, so that Spark does not look).
#}
{% macro changed_keys(rows, layers, key, has_changes='true') %}
    select /*+ broadcast({{ layers }}) */
        {{ rows }}.organization_id,
        {{ rows }}.sync_id,
        {{ rows }}.{{ key.columns | join(', ' ~ rows ~ '.') }}
    from {{ rows }}
    inner join {{ layers }} on {{ sync_logs._is_of_layer(rows, layers) }}
    where {{ layers }}.has_base and {{ has_changes }}
{% endmacro %}

{#
  What follows `from`: the rows of checkpoints, those of a base without what the one above it has, joined with the
  layer that each is of. Arguments: as of `changed_keys`, whose step is changed.
#}
{% macro layered_rows(rows, layers, changed, key) %}
    {{ rows }}
    inner join {{ layers }} on {{ sync_logs._is_of_layer(rows, layers) }}
    left anti join {{ changed }}
        on
            {{ layers }}.is_base
            and {{ sync_logs.has_same_key(rows, changed, key) }}
{% endmacro %}

{#
  Named steps `last_runs` and `changed_rows`: the checkpoints that the state after the last run of each sync is read
  from. Arguments: rows (name of the source, and of the step with its table), runs (step, all runs of a load),
  has_changes (as of `changed_keys`).
#}
{% macro last_checkpoints(rows, runs, has_changes='true') %}
last_runs as (
    {{ sync_logs.checkpoint_layers(runs, 'sync_run_count') }}
),

changed_rows as (
    {{ sync_logs.changed_keys(rows, 'last_runs', sync_logs.checkpoint_key(rows), has_changes) }}
)
{% endmacro %}

{# What follows `from`: the rows after the last run of each sync. Argument: rows (as of `last_checkpoints`). #}
{% macro rows_of_last_checkpoints(rows) %}
    {{ sync_logs.layered_rows(rows, 'last_runs', 'changed_rows', sync_logs.checkpoint_key(rows)) }}
{% endmacro %}

{% macro _is_of_layer(rows, layers) -%}
    {{ rows }}.load_id = {{ layers }}.checkpoint_load_id
    and {{ rows }}.organization_id = {{ layers }}.organization_id
    and {{ rows }}.sync_id = {{ layers }}.sync_id
    and {{ rows }}.position = {{ layers }}.position
{%- endmacro %}

{# SQL condition: two rows have the same key in the same sync. Argument: key (as of `checkpoint_key`). #}
{% macro has_same_key(rows, other_rows, key) -%}
    {{ rows }}.organization_id = {{ other_rows }}.organization_id
    and {{ rows }}.sync_id = {{ other_rows }}.sync_id
    {% for column in key.columns %}
        and {{ rows }}.{{ column }} {{ key.equals }} {{ other_rows }}.{{ column }}
    {% endfor %}
{%- endmacro %}

{#
  What tells a row of a table of checkpoints in its sync: columns, and how they are compared; those of an error
  may be null. Argument: name (that of the source).
#}
{% macro checkpoint_key(name) -%}
    {{ return({
        'record_states': {'columns': ['identifier'], 'equals': '='},
        'record_errors': {'columns': ['identifier', 'failed_reason'], 'equals': '<=>'},
    }[name]) }}
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
  The columns of a table of checkpoints by their names, since a table that was migrated has them in another order.
  Arguments: name (that of the source), rows (name of a step).
#}
{% macro columns_of_checkpoint(name, rows) -%}
    {%- set columns = {
        'record_states': [
            'organization_id', 'sync_id', 'identifier', 'position', 'has_been_reached', 'is_delivered',
            'entered_at', 'entered_sync_run_id', 'entry_observed', 'last_event_at', 'outcome_position',
            'last_sync_run_id', 'op_type', 'status', 'failed_reason', 'fields', 'canonical_operation',
            'last_attempted_at', 'is_outcome_compared', 'compared_sync_run_id', 'compared_fields',
            'planned_count', 'succeeded_count', 'failed_count', 'aborted_count', 'invalid_count',
            'added_count', 'changed_count', 'removed_count', 'first_attempted_at', 'first_added_at',
            'last_succeeded_at', 'last_failed_at', 'entry_count', 'exit_count', 'load_id'
        ],
        'record_errors': [
            'organization_id', 'sync_id', 'identifier', 'position', 'failed_reason', 'attempt_count',
            'first_seen_at', 'last_seen_at', 'last_seen_position', 'last_sync_run_id', 'load_id'
        ],
    }[name] -%}
    {{ return(rows ~ '.' ~ columns | join(', ' ~ rows ~ '.')) }}
{%- endmacro %}
