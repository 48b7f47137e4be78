with

reasons_counted as (
    select
        failure_reason,
        count_if(sync_run_id = :sync_run_id) as record_count,
        count_if(sync_run_id = :before_sync_run_id) as before_record_count
    from sync_records
    where
        organization_id = :organization_id
        and sync_id = :sync_id
        and sync_run_id in (:sync_run_id, :before_sync_run_id)
        and display_status in ('Rejected', 'Invalid')
    group by failure_reason
),

reasons_known as (
    select
        failure_reason,
        failure_pattern,
        category,
        sample_identifiers,
        true as is_known
    from errors_by_sync
    where organization_id = :organization_id and sync_id = :sync_id
),

reasons_matched as (
    select
        reasons_counted.record_count,
        reasons_counted.before_record_count,
        reasons_known.failure_pattern,
        reasons_known.category,
        reasons_known.sample_identifiers,
        -- of the others, no identifier is known that a mask could find in them
        coalesce(reasons_known.is_known, false) as is_known
    from reasons_counted
    left join reasons_known
        on reasons_counted.failure_reason is not distinct from reasons_known.failure_reason
),

patterns_counted as (
    select
        failure_pattern,
        is_known,
        max(category) as category,
        max(sample_identifiers) as sample_identifiers,
        sum(record_count) as record_count,
        sum(before_record_count) as before_record_count
    from reasons_matched
    group by failure_pattern, is_known
)

select *
from patterns_counted
order by
    -- those that only one of the runs has first
    record_count > 0 and before_record_count > 0 asc,
    record_count + before_record_count desc,
    is_known desc,
    failure_pattern asc
limit :row_limit
