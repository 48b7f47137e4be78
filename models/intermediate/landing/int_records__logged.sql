{# All landed records, of both passes, with their words mapped to the project's vocabulary. #}
{{ config(materialized='lazy_view') }}
with

landed as (
    select * from {{ ref('int_records__landed') }}
),

recovered as (
    select * from {{ ref('int_records__recovered') }}
),

source as (
    select * from landed
    union all
    select * from recovered
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
        batch_started_at,
        batch_ended_at,
        {{ sync_logs.canonical_operation('operation') }} as canonical_operation,
        {{ sync_logs.record_status('status', 'identifier') }} as record_status
    from source
    where not coalesce(is_purged, false)
)

select * from mapped
