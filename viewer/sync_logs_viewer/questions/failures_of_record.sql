select
    row_id,
    sync_id,
    started_at,
    started_sync_run_id,
    last_failed_at,
    last_failed_sync_run_id,
    failed_run_count,
    last_failure_reason as failure_reason,
    failure_pattern,
    failure_number,
    is_open,
    category,
    ended_at,
    ended_sync_run_id,
    ended_by,
    payload_changed,
    runs_without_attempt
from record_failures
where
    organization_id = :organization_id
    and case
        when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
        else row_id
    end = :identifier
order by is_open desc, started_at desc nulls last, sync_id asc, failure_number desc
limit :row_limit
