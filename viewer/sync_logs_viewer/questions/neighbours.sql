with

runs_followed as (
    select
        sync_run_id,
        lag(sync_run_id) over (order by run_position asc) as previous_sync_run_id,
        lead(sync_run_id) over (order by run_position asc) as next_sync_run_id
    from sync_runs
    where
        organization_id = :organization_id
        and sync_id = :sync_id
        and run_position is not null
)

select
    previous_sync_run_id,
    next_sync_run_id
from runs_followed
where sync_run_id = :sync_run_id
