with

days_ranked as (
    select
        organization_id,
        sync_id,
        activity_date,
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
        ) as recency_rank
    from sync_activity_daily
)

select *
from days_ranked
where recency_rank <= :days
order by organization_id asc, sync_id asc, activity_date asc
