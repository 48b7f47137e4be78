{#
  The manifest of runs, and the plan of the build: from which position on each sync is replayed.
  A checkpoint of the records' state holds as long as nothing that it rests on has changed: the hash
  over all runs up to it is the same as when it was written. The one after the last pruned run holds
  for ever, since what it rests on is gone; runs that are too late have no part in the plan, so they have
  windows of their own.
  A checkpoint is whole, or has only the records that changed since the one before it (`state_as_of`): so a small run on
  a large sync costs that run; small syncs have whole ones. A replacing run moves records that it does not have,
  so it asks for a whole one.
#}
with

runs_ordered as (
    select * from {{ ref('int_runs__ordered') }}
),

load_current as (
    select * from {{ sync_logs.committed('load_current') }}
),

committed_runs as (
    select * from {{ sync_logs.committed('runs') }}
    where load_id = (select load_current.load_id from load_current)
),

run_counts as (
    select * from {{ sync_logs.committed('run_counts') }}
),

-- entries tell about how many records there are
committed_runs_counted as (
    select
        committed_runs.*,
        run_counts.entry_count
    from committed_runs
    left join run_counts
        on
            committed_runs.built_load_id = run_counts.load_id
            and committed_runs.organization_id = run_counts.organization_id
            and committed_runs.sync_id = run_counts.sync_id
            and committed_runs.sync_run_id = run_counts.sync_run_id
),

runs_hashed as (
    select
        *,
        case
            when is_too_late is not true
                then bit_xor(
                    xxhash64(position, sync_run_id, order_at, summarised_load_id, is_replacing)
                ) over (
                    partition by organization_id, sync_id, is_too_late
                    order by position asc
                    rows between unbounded preceding and current row
                )
        end as prefix_hash,
        count_if(not is_settled) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between unbounded preceding and current row
        ) = 0 as is_prefix_settled,
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
        coalesce(
            is_pruned
            and position = max(case when is_pruned then position end)
                over (partition by organization_id, sync_id, is_too_late),
            false
        ) as is_horizon
    from runs_ordered
),

runs_compared as (
    select
        runs_hashed.*,
        committed_runs.built_load_id as committed_built_load_id,
        committed_runs.checkpoint_load_id as committed_checkpoint_load_id,
        committed_runs.checkpoint_base_position as committed_base_position,
        committed_runs.entry_count,
        case
            when runs_hashed.is_horizon then committed_runs.checkpoint_load_id
            when
                not {{ sync_logs.is_full_refresh() }}
                and not {{ sync_logs.is_replay_due() }}
                and runs_hashed.prefix_hash = committed_runs.prefix_hash
                then committed_runs.checkpoint_load_id
        end as trusted_checkpoint_load_id
    from runs_hashed
    left join committed_runs_counted as committed_runs
        on
            runs_hashed.organization_id = committed_runs.organization_id
            and runs_hashed.sync_id = committed_runs.sync_id
            and runs_hashed.sync_run_id = committed_runs.sync_run_id
            and runs_hashed.position = committed_runs.position
),

runs_started as (
    select
        *,
        case
            when is_too_late is not true
                then coalesce(
                    max(case when trusted_checkpoint_load_id is not null then position end)
                        over (partition by organization_id, sync_id, is_too_late),
                    0
                )
        end as start_position,
        max(case when is_prefix_settled then position end)
            over (partition by organization_id, sync_id, is_too_late) as settled_position,
        count(trusted_checkpoint_load_id) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between 1 following and unbounded following
        ) as later_checkpoint_count
    from runs_compared
),

runs_based as (
    select
        *,
        coalesce(position > start_position, false) as is_replayed,
        coalesce(
            max(case when position = start_position then committed_base_position end)
                over (partition by organization_id, sync_id, is_too_late),
            start_position
        ) as base_position
    from runs_started
),

runs_weighed as (
    select
        *,
        coalesce(
            sum(case when position > base_position then record_count end) over of_sync, 0
        ) as changed_record_count,
        coalesce(
            sum(case when position <= base_position then entry_count end) over of_sync, 0
        ) as base_entry_count,
        coalesce(bool_or(is_replacing and position > base_position) over of_sync, false)
            as is_base_replaced
    from runs_based
    window of_sync as (partition by organization_id, sync_id, is_too_late)
),

runs_fitted as (
    select
        *,
        base_position > 0
        and not {{ sync_logs.is_full_refresh() }}
        and not is_base_replaced
        and {{ sync_logs.is_small_change('changed_record_count', 'base_entry_count') }}
        and sum(case when is_replayed and position = sync_run_count then base_entry_count end)
            over () > {{ sync_logs.most_states_rewritten() }}
            as is_change_small
    from runs_weighed
),

runs_checkpointed as (
    select
        *,
        case
            when is_replayed and (position = sync_run_count or position = settled_position)
                then '{{ sync_logs.load_id() }}'
            -- the last two: one to append to, one to go back to when the last run grows
            when is_horizon or later_checkpoint_count < 2 then trusted_checkpoint_load_id
        end as checkpoint_load_id,
        case
            when not is_replayed then committed_base_position
            when
                is_change_small
                -- of all syncs, beginning with the smallest changes
                and sum(
                    case
                        when is_change_small and position = sync_run_count
                            then changed_record_count
                    end
                ) over (
                    order by changed_record_count asc, organization_id asc, sync_id asc
                    range between unbounded preceding and current row
                ) <= {{ sync_logs.most_changes() }}
                then base_position
        end as checkpoint_base_position
    from runs_fitted
),

runs_supported as (
    select
        *,
        min(
            case
                when checkpoint_load_id is not null
                    then coalesce(checkpoint_base_position, position)
            end
        ) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between current row and unbounded following
        ) as first_needed_position
    from runs_checkpointed
),

runs_kept as (
    select
        *,
        coalesce(
            checkpoint_load_id,
            -- a checkpoint with a base is read from that on
            case
                when not is_replayed and position >= first_needed_position
                    then committed_checkpoint_load_id
            end
        ) as kept_checkpoint_load_id
    from runs_supported
)

{% set facts = ['order_at', 'has_metadata_file', 'has_unreadable_files', 'record_count',
    'aborted_count', 'has_mirror_rows',
    'has_delivered_mirror_rows', 'first_batch_started_at', 'first_batch_ended_at',
    'last_batch_ended_at', 'source_id', 'source_object_id', 'destination_id',
    'destination_type', 'destination_object_id', 'primary_key', 'model_id', 'model_name',
    'split_group_field', 'reported_status', 'reported_outcome', 'reported_started_at',
    'reported_finished_at', 'error', 'is_settled', 'is_replacing', 'is_pruned', 'is_too_late']
    | join(', ') %}
select
    organization_id,
    sync_id,
    sync_run_id,
    position,
    sync_run_count,
    {{ facts }},
    previous_replacing_position,
    next_replacing_position,
    summarised_load_id,
    prefix_hash,
    start_position,
    is_replayed,
    case
        when is_replayed then '{{ sync_logs.load_id() }}'
        else committed_built_load_id
    end as built_load_id,
    kept_checkpoint_load_id as checkpoint_load_id,
    case when kept_checkpoint_load_id is not null then checkpoint_base_position end
        as checkpoint_base_position,
    false as is_recount_due
from runs_kept
