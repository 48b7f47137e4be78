select
    sync_runs.*,
    log_coverage.issue as log_issue,
    log_coverage.reported_planned_count,
    log_coverage.logged_planned_count,
    (
        unix_micros(sync_runs.finished_at)
        - unix_micros(coalesce(sync_runs.started_at, sync_runs.first_batch_started_at))
    )
    / double(1000000) as run_seconds
from sync_runs
left join log_coverage
    on
        sync_runs.organization_id = log_coverage.organization_id
        and sync_runs.sync_id = log_coverage.sync_id
        and sync_runs.sync_run_id = log_coverage.sync_run_id
where
    sync_runs.organization_id = :organization_id
    and sync_runs.sync_id = :sync_id
    and sync_runs.sync_run_id = :sync_run_id
