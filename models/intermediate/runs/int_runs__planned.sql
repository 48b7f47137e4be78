{#
  The manifest of runs: what is known about each run, which loads have its rows, where the replay of
  its sync starts, and after which runs there is a checkpoint. A replayed sync gets a new one after its
  last run if reading what has changed since the checkpoint before would cost more
  (`is_checkpoint_due`). Of the trusted checkpoints, the last two are kept.
#}
with

runs_compared as (
    select * from {{ ref('int_runs__compared') }}
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
        ) as next_replacing_position,
        count(trusted_checkpoint_load_id) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between 1 following and unbounded following
        ) as later_checkpoint_count,
        coalesce(
            max(case when trusted_checkpoint_load_id is not null then position end)
                over (partition by organization_id, sync_id, is_too_late),
            0
        ) as last_checkpoint_position
    from runs_compared
),

runs_weighed as (
    select
        *,
        count_if(position > last_checkpoint_position) over of_sync as changed_run_count,
        coalesce(
            sum(case when position > last_checkpoint_position then record_count end) over of_sync,
            0
        ) as changed_record_count,
        -- the number of entries is about the number of records
        coalesce(
            sum(case when position <= last_checkpoint_position then committed_entry_count end)
                over of_sync,
            0
        ) as checkpoint_record_count
    from runs_neighboured
    window of_sync as (partition by organization_id, sync_id, is_too_late)
),

syncs_added_up as (
    select
        *,
        sum(
            case when is_replayed and position = sync_run_count then checkpoint_record_count end
        ) over () as checkpoint_record_count_of_all,
        -- of all syncs, the smallest first
        sum(case when position = sync_run_count then changed_record_count end) over (
            order by changed_record_count asc, organization_id asc, sync_id asc
            range between unbounded preceding and current row
        ) as changed_record_count_of_all
    from runs_weighed
),

checkpoints_chosen as (
    select
        *,
        case
            when
                is_replayed
                and position = sync_run_count
                and {{ sync_logs.is_checkpoint_due(
                    'changed_run_count', 'changed_record_count', 'checkpoint_record_count',
                    'checkpoint_record_count_of_all', 'changed_record_count_of_all') }}
                then {{ sync_logs.this_load() }}
            -- one to continue from, one to replay from if a run before the last one changes
            when is_horizon or later_checkpoint_count < 2 then trusted_checkpoint_load_id
        end as checkpoint_load_id
    from syncs_added_up
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
    false as is_recount_due
from checkpoints_chosen
