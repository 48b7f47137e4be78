select
    sync_id,
    audience_name,
    entered_at,
    exited_at,
    entered_sync_run_id,
    exited_sync_run_id,
    entry_observed,
    exit_observed
from audience_memberships
where
    organization_id = :organization_id
    and case
        when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
        else row_id
    end = :identifier
order by exited_sync_run_id is null desc, entered_at desc nulls last, sync_id asc
limit :row_limit
