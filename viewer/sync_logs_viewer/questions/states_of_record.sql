select
    row_id,
    sync_id,
    op_type,
    status,
    failure_reason,
    is_delivered,
    last_sync_run_id,
    last_attempted_at
from sync_snapshot
where
    organization_id = :organization_id
    and case
        when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
        else row_id
    end = :identifier
order by sync_id asc
limit :row_limit
