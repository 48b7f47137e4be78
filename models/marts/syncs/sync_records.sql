with

records as (
    select * from {{ ref('int_records__live') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
)

select
    records.sync_id,
    records.sync_run_id,
    records.identifier,
    case records.record_status
        when 'succeeded' then 'Success'
        when 'failed' then 'Rejected'
        when 'invalid_null_key' then 'Invalid'
        when 'invalid_duplicate_key' then 'Invalid'
        when 'not_attempted' then 'Not attempted'
        else 'Unknown'
    end as display_status,
    records.status_message,
    records.record_payload,
    records.operation,
    records.batch_started_at,
    records.batch_ended_at,
    records.record_status,
    records.organization_id,
    records.record_id,
    records.status as logged_status,
    records.canonical_operation,
    records.batch_type,
    records.batch_number,
    records.file_name,
    records.row_index,
    {{ sync_logs.failed_reason('records.record_status', 'records.canonical_operation',
        'records.identifier', 'records.status', 'records.operation', 'records.status_message') }} as failure_reason,
    sources.payload_kind,
    sources.shown.*
from records
left join sources
    on records.organization_id = sources.organization_id
