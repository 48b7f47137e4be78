select
    *,
    (unix_micros(finished_at) - unix_micros(coalesce(started_at, first_batch_started_at)))
    / double(1000000) as run_seconds
from sync_runs
where
    organization_id = :organization_id
    and sync_id = :sync_id
    and (
        :before_position is null
        or coalesce(run_position, 0) < :before_position
        or (coalesce(run_position, 0) = :before_position and sync_run_id > :after_run)
    )
order by coalesce(run_position, 0) desc, sync_run_id asc
limit :row_limit
