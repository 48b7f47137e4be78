{#
  Compares each run with the last commit and decides which runs this build computes. The state after a
  run can be trusted if nothing that it depends on has changed: the hash over all runs up to it is the
  same as in the commit. So a sync is replayed from its first run with another hash on. The state after
  the last pruned run is always trusted, because what it depends on no longer exists. Runs that are too
  late are not part of the plan, so the windows separate them from the other runs.
#}
{{ config(materialized='lazy_view') }}
with

runs_ordered as (
    select * from {{ ref('int_runs__ordered') }}
),

committed_runs as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('runs')) }}
),

run_counts as (
    select * from {{ sync_logs.committed('run_counts') }}
),

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
                    -- a null argument leaves a hash as it is
                    xxhash64(
                        position,
                        sync_run_id,
                        order_at,
                        summarised_load_id,
                        is_replacing,
                        rows_ended_at
                    )
                ) over (
                    partition by organization_id, sync_id, is_too_late
                    order by position asc
                    rows between unbounded preceding and current row
                )
        end as prefix_hash,
        coalesce(
            is_pruned
            and position = max(case when is_pruned then position end)
                over (partition by organization_id, sync_id, is_too_late),
            false
        ) as is_horizon
    from runs_ordered
),

runs_trusted as (
    select
        runs_hashed.*,
        committed_runs_counted.built_load_id as committed_built_load_id,
        committed_runs_counted.checkpoint_load_id as committed_checkpoint_load_id,
        committed_runs_counted.entry_count as committed_entry_count,
        coalesce(
            runs_hashed.is_horizon
            or (
                not {{ sync_logs.is_full_refresh() }}
                and not {{ sync_logs.is_replay_due() }}
                and runs_hashed.prefix_hash = committed_runs_counted.prefix_hash
            ),
            false
        ) as is_trusted
    from runs_hashed
    left join committed_runs_counted
        on
            runs_hashed.organization_id = committed_runs_counted.organization_id
            and runs_hashed.sync_id = committed_runs_counted.sync_id
            and runs_hashed.sync_run_id = committed_runs_counted.sync_run_id
            and runs_hashed.position = committed_runs_counted.position
),

runs_started as (
    select
        *,
        case when is_trusted then committed_checkpoint_load_id end as trusted_checkpoint_load_id,
        case
            when is_too_late is not true
                then coalesce(
                    max(case when is_trusted then position end)
                        over (partition by organization_id, sync_id, is_too_late),
                    0
                )
        end as start_position
    from runs_trusted
)

select
    *,
    coalesce(position > start_position, false) as is_replayed
from runs_started
