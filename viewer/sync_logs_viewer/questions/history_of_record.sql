with

runs as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        order_at,
        run_position
    from sync_runs
    where organization_id = :organization_id
)

select
    sync_records.identifier,
    sync_records.sync_id,
    sync_records.sync_run_id,
    sync_records.display_status,
    sync_records.failure_reason,
    sync_records.operation,
    left(sync_records.record_payload, :payload_limit) as record_payload,
    length(sync_records.record_payload) as payload_length,
    sync_records.batch_started_at,
    sync_records.batch_ended_at,
    sync_records.batch_number,
    sync_records.file_name,
    sync_records.row_index
from sync_records
left join runs
    on
        sync_records.organization_id = runs.organization_id
        and sync_records.sync_id = runs.sync_id
        and sync_records.sync_run_id = runs.sync_run_id
where
    sync_records.organization_id = :organization_id
    and case
        when :is_hashed then concat('sha256:', left(sha2(sync_records.identifier, 256), 16))
        else sync_records.identifier
    end = :identifier
order by
    -- runs that are no longer kept are the oldest
    runs.sync_run_id is null asc,
    coalesce(runs.order_at, sync_records.batch_ended_at) desc nulls first,
    sync_records.sync_id asc,
    runs.run_position desc nulls last,
    sync_records.sync_run_id desc,
    sync_records.batch_ended_at desc nulls last,
    sync_records.batch_number desc nulls last,
    sync_records.file_name desc,
    sync_records.row_index desc
limit :row_limit
