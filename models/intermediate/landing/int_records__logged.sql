{# All landed records, of files and tables, with their words in the project's vocabulary. #}
{{ config(materialized='lazy_view') }}
with

records_landed as (
    select * from {{ ref('int_records__landed') }}
),

mapped as (
    select
        load_id,
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        batch_type,
        batch_number,
        row_index,
        identifier,
        record_payload,
        operation,
        status,
        status_message,
        {{ sync_logs.readable_time('batch_started_at') }} as batch_started_at,
        {{ sync_logs.readable_time('batch_ended_at') }} as batch_ended_at,
        log_id,
        {{ sync_logs.readable_time('logged_at') }} as logged_at,
        reported_op_type,
        reported_split_group,
        {{ sync_logs.canonical_operation('operation', 'reported_op_type') }} as canonical_operation,
        {{ sync_logs.record_status('status', 'identifier') }} as record_status
    from records_landed
    where not coalesce(is_purged, false)
)

select * from mapped
