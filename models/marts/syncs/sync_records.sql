with

records as (
    select * from {{ ref('int_records__live') }}
)

select
    sync_id,
    sync_run_id,
    identifier,
    case record_status
        when 'succeeded' then 'Success'
        when 'failed' then 'Rejected'
        when 'invalid_null_key' then 'Invalid'
        when 'invalid_duplicate_key' then 'Invalid'
        when 'not_attempted' then 'Not attempted'
        else 'Unknown'
    end as display_status,
    status_message,
    record_payload,
    operation,
    batch_started_at,
    batch_ended_at,
    record_status,
    organization_id,
    record_id,
    status as logged_status,
    canonical_operation,
    batch_type,
    batch_number,
    file_name,
    row_index,
    {{ sync_logs.failed_reason('record_status', 'canonical_operation', 'identifier', 'status',
        'operation', 'status_message') }} as failure_reason,
    payload_kind,
    source_name,
    vendor
from records
