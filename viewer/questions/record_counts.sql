select
    display_status,
    operation,
    count(*) as row_count
from sync_records
where
    organization_id = :organization_id
    and sync_id = :sync_id
    and sync_run_id = :sync_run_id
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
group by display_status, operation
order by display_status asc, operation asc
