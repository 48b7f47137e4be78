with

failures_ranked as (
    select
        organization_id,
        sync_id,
        row_id,
        started_at,
        started_sync_run_id,
        last_failed_at,
        last_failed_sync_run_id,
        failed_run_count,
        runs_without_attempt,
        last_failure_reason as failure_reason,
        failure_pattern,
        category,
        is_transient,
        was_delivered,
        hours_open,
        row_number() over (
            partition by if(:is_by_sync, organization_id, null), if(:is_by_sync, sync_id, null)
            order by
                started_at asc nulls first, organization_id asc, sync_id asc, row_id asc
        ) as age_rank
    from record_failures
    where
        is_open
        and (:organization_id is null or organization_id = :organization_id)
        and (:sync_id is null or sync_id = :sync_id)
)

select *
from failures_ranked
where age_rank <= :row_limit
order by started_at asc nulls first, organization_id asc, sync_id asc, row_id asc
