select
    sync_id,
    sync_run_id,
    field_name,
    change_type,
    previous_value,
    new_value,
    previous_sync_run_id,
    changed_at
from field_changes
where
    organization_id = :organization_id
    and case
        when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
        else row_id
    end = :identifier
order by changed_at desc nulls last, sync_id asc, sync_run_id asc, field_name asc
limit :row_limit
