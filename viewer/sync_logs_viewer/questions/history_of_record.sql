select
    identifier,
    sync_id,
    sync_run_id,
    display_status,
    failure_reason,
    operation,
    left(record_payload, :payload_limit) as record_payload,
    length(record_payload) as payload_length,
    batch_started_at,
    batch_ended_at,
    batch_number,
    file_name,
    row_index
from sync_records
where
    organization_id = :organization_id
    and case
        when :is_hashed then concat('sha256:', left(sha2(identifier, 256), 16))
        else identifier
    end = :identifier
order by
    batch_ended_at desc nulls first,
    sync_id asc,
    sync_run_id asc,
    file_name desc,
    row_index desc
limit :row_limit
