with

days_ranked as (
    select
        organization_id,
        sync_id,
        activity_date,
        run_count,
        planned_count,
        attempted_count,
        succeeded_count,
        failed_count,
        invalid_count,
        aborted_count,
        entry_count,
        exit_count,
        open_failure_count,
        repaired_failure_count,
        row_number() over (
            partition by organization_id, sync_id
            order by activity_date desc
        ) as recency_rank,
        count(*) over (partition by organization_id, sync_id) as all_day_count,
        sum(run_count) over (partition by organization_id, sync_id) as all_run_count
    from sync_activity_daily
    where
        (:organization_id is null or organization_id = :organization_id)
        and (:sync_id is null or sync_id = :sync_id)
)

select *
from days_ranked
where recency_rank <= :days
order by organization_id asc, sync_id asc, activity_date asc
