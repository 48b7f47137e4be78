{#
  Query: of a table that holds checkpoints, the rows of the checkpoint from which each replayed sync starts.
  Argument: name (that of the source).
#}
{% macro rows_at_starts(name) %}
with

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

checkpoint_rows as (
    select * from {{ sync_logs.committed(name) }}
),

starts as (
    select
        organization_id,
        sync_id,
        position,
        checkpoint_load_id
    from runs_planned
    where position = start_position and position < sync_run_count
)

select /*+ broadcast(starts) */ checkpoint_rows.*
from checkpoint_rows
inner join starts
    on
        checkpoint_rows.load_id = starts.checkpoint_load_id
        and checkpoint_rows.organization_id = starts.organization_id
        and checkpoint_rows.sync_id = starts.sync_id
        and checkpoint_rows.position = starts.position
{% endmacro %}
