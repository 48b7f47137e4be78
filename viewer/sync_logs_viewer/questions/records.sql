select
    identifier,
    display_status,
    failure_reason,
    status_message,
    operation,
    left(record_payload, :payload_limit) as record_payload,
    length(record_payload) as payload_length,
    batch_started_at,
    batch_ended_at,
    record_status,
    logged_status,
    batch_type,
    batch_number,
    file_name,
    row_index,
    record_id
from sync_records
where
    organization_id = :organization_id
    and sync_id = :sync_id
    and sync_run_id = :sync_run_id
    and (:status is null or display_status = :status)
    and (:operation is null or operation = :operation)
    and (:failure_reason is null or coalesce(failure_reason, '') = :failure_reason)
    and (
        :identifier is null
        or case
            when :is_hashed then concat('sha256:', left(sha2(identifier, 256), 16))
            else identifier
        end = :identifier
    )
    and (:identifier_prefix is null or startswith(identifier, :identifier_prefix))
    and (
        :after_file is null
        or (coalesce(batch_number, -1), file_name, row_index)
        > (
            coalesce(cast(:after_batch as decimal(38, 0)), -1),
            cast(:after_file as string),
            cast(:after_row as bigint)
        )
    )
order by coalesce(batch_number, -1) asc, file_name asc, row_index asc
limit :row_limit
