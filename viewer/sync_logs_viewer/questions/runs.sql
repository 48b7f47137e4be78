with

runs_placed as (
    select
        sync_runs.*,
        log_coverage.issue as log_issue,
        log_coverage.reported_planned_count,
        log_coverage.logged_planned_count,
        (
            unix_micros(sync_runs.finished_at)
            - unix_micros(coalesce(sync_runs.started_at, sync_runs.first_batch_started_at))
        )
        / double(1000000) as run_seconds,
        case
            when sync_runs.run_position is not null
                then
                    lag(sync_runs.sync_run_id) over (
                        partition by sync_runs.organization_id, sync_runs.sync_id
                        order by sync_runs.run_position asc nulls last, sync_runs.sync_run_id asc
                    )
        end as previous_sync_run_id,
        -- runs that are too late have no position and come last
        lead(if(sync_runs.run_position is null, null, sync_runs.sync_run_id)) over (
            partition by sync_runs.organization_id, sync_runs.sync_id
            order by sync_runs.run_position asc nulls last, sync_runs.sync_run_id asc
        ) as next_sync_run_id
    from sync_runs
    left join log_coverage
        on
            sync_runs.organization_id = log_coverage.organization_id
            and sync_runs.sync_id = log_coverage.sync_id
            and sync_runs.sync_run_id = log_coverage.sync_run_id
    where
        (:organization_id is null or sync_runs.organization_id = :organization_id)
        and (:sync_id is null or sync_runs.sync_id = :sync_id)
),

runs_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id
            order by coalesce(run_position, 0) desc, sync_run_id asc
        ) as recency_rank
    from runs_placed
    where
        :before_position is null
        or coalesce(run_position, 0) < :before_position
        or (coalesce(run_position, 0) = :before_position and sync_run_id > :after_run)
)

select *
from runs_ranked
where
    sync_run_id = :sync_run_id
    or (:sync_run_id is null and recency_rank <= :rows_by_sync)
order by organization_id asc, sync_id asc, recency_rank asc
