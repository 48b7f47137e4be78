{#
  Decides which runs have a checkpoint after this build. A replayed sync gets new ones after its
  last run, and after the last run up to which all runs are settled. Of the trusted checkpoints, the
  last two are kept.
  A new checkpoint is full, or a delta with the records that changed since the previous checkpoint
  (`state_as_of`). With a delta, one more small run of a large sync costs only that run. All new
  checkpoints are full if the replayed syncs together have few records. The checkpoint after a
  replacing run is full, because that run changes records that it does not have.
#}
{{ config(materialized='lazy_view') }}
with

runs_replayed as (
    select * from {{ ref('int_runs__replayed') }}
),

runs_settled as (
    select
        *,
        count_if(not is_settled) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between unbounded preceding and current row
        ) = 0 as is_prefix_settled,
        count(trusted_checkpoint_load_id) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between 1 following and unbounded following
        ) as later_checkpoint_count
    from runs_replayed
),

runs_weighed as (
    select
        *,
        max(case when is_prefix_settled then position end) over of_sync as settled_position,
        coalesce(
            sum(case when position > base_position then record_count end) over of_sync, 0
        ) as changed_record_count,
        -- the number of entries is about the number of records
        coalesce(
            sum(case when position <= base_position then committed_entry_count end)
                over of_sync,
            0
        ) as base_entry_count,
        coalesce(bool_or(is_replacing and position > base_position) over of_sync, false)
            as is_base_replaced
    from runs_settled
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

checkpoints_chosen as (
    select
        *,
        case
            when is_replayed and (position = sync_run_count or position = settled_position)
                then {{ sync_logs.this_load() }}
            -- the last two: one to continue from, one to replay from if the last run grows
            when is_horizon or later_checkpoint_count < 2 then trusted_checkpoint_load_id
        end as chosen_load_id,
        case
            when not is_replayed then committed_base_position
            when
                is_change_small
                -- of all syncs together, the smallest changes first
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
        end as chosen_base_position
    from runs_fitted
),

checkpoints_supported as (
    select
        *,
        min(
            case
                when chosen_load_id is not null then coalesce(chosen_base_position, position)
            end
        ) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between current row and unbounded following
        ) as first_needed_position
    from checkpoints_chosen
),

checkpoints_kept as (
    select
        *,
        coalesce(
            chosen_load_id,
            -- a delta is read from its base on, so all checkpoints from there on are kept
            case
                when not is_replayed and position >= first_needed_position
                    then committed_checkpoint_load_id
            end
        ) as checkpoint_load_id
    from checkpoints_supported
)

select
    *,
    case when checkpoint_load_id is not null then chosen_base_position end
        as checkpoint_base_position
from checkpoints_kept
