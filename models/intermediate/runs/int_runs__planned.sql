{#
  The manifest of runs, and the plan of the build: from which position on each sync is replayed.
  A checkpoint of the records' state holds as long as nothing that it rests on has changed: the hash
  over all runs up to it is the same as when it was written. The one after the last pruned run holds
  for ever, since what it rests on is gone; runs that are too late have no part in the plan, so they have
  windows of their own.
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

runs_hashed as (
    select
        *,
        case
            when is_too_late is not true
                then bit_xor(
                    xxhash64(position, sync_run_id, order_at, outcomes_version, is_replacing)
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
        case
            when runs_hashed.is_horizon then committed_runs.checkpoint_load_id
            when
                not {{ sync_logs.is_full_refresh() }}
                and not {{ sync_logs.is_replay_due() }}
                and runs_hashed.prefix_hash = committed_runs.prefix_hash
                then committed_runs.checkpoint_load_id
        end as kept_checkpoint_load_id
    from runs_hashed
    left join committed_runs
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
                    max(case when kept_checkpoint_load_id is not null then position end)
                        over (partition by organization_id, sync_id, is_too_late),
                    0
                )
        end as start_position,
        max(case when is_prefix_settled then position end)
            over (partition by organization_id, sync_id, is_too_late) as settled_position,
        count(kept_checkpoint_load_id) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between 1 following and unbounded following
        ) as later_checkpoint_count
    from runs_compared
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
    outcomes_version,
    prefix_hash,
    start_position,
    coalesce(position > start_position, false) as is_replayed,
    case
        when position > start_position then '{{ sync_logs.load_id() }}'
        else committed_built_load_id
    end as built_load_id,
    case
        when
            position > start_position
            and (position = sync_run_count or position = settled_position)
            then '{{ sync_logs.load_id() }}'
        -- the last two: one to append to, one to go back to when the last run grows
        when is_horizon or later_checkpoint_count < 2 then kept_checkpoint_load_id
    end as checkpoint_load_id,
    false as is_recount_due
from runs_started
