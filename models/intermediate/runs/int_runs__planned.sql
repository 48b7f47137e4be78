{#
  The manifest of runs: what is known about each run, which loads have its rows, and where the
  replay of its sync starts.
#}
with

runs_checkpointed as (
    select * from {{ ref('int_runs__checkpointed') }}
),

runs_neighboured as (
    select
        *,
        max(case when is_replacing then position end) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between unbounded preceding and 1 preceding
        ) as previous_replacing_position,
        min(case when is_replacing then position end) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between 1 following and unbounded following
        ) as next_replacing_position
    from runs_checkpointed
)

select
    organization_id,
    sync_id,
    sync_run_id,
    position,
    sync_run_count,
    order_at,
    has_metadata_file,
    has_unreadable_files,
    record_count,
    aborted_count,
    has_mirror_rows,
    has_delivered_mirror_rows,
    first_batch_started_at,
    first_batch_ended_at,
    last_batch_ended_at,
    source_id,
    source_object_id,
    destination_id,
    destination_type,
    destination_object_id,
    primary_key,
    model_id,
    model_name,
    split_group_field,
    reported_status,
    reported_outcome,
    reported_started_at,
    reported_finished_at,
    rows_ended_at,
    reported_counts,
    source_name,
    vendor,
    payload_kind,
    logs_invalid_records,
    error,
    is_settled,
    is_replacing,
    is_pruned,
    is_too_late,
    previous_replacing_position,
    next_replacing_position,
    summarised_load_id,
    prefix_hash,
    start_position,
    is_replayed,
    case
        when is_replayed then {{ sync_logs.this_load() }}
        else committed_built_load_id
    end as built_load_id,
    checkpoint_load_id,
    checkpoint_base_position,
    false as is_recount_due
from runs_neighboured
