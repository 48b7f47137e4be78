{# Runs in the files of drt: their facts in the history, and the attempts of their dead letters. #}
{{ config(enabled=sync_logs.table_sources('drt') | length > 0) }}
with

history as (
    select * from {{ ref('int_drt__history') }}
),

attempts as (
    select * from {{ ref('int_drt__attempts') }}
)

select
    organization_id,
    sync_id,
    sync_run_id,
    'metadata' as file_kind,
    'history' as file_name,
    count(*) as record_count,
    cast(null as timestamp) as last_arrived_at,
    {{ sync_logs.fingerprint_of_rows(['status', 'error', 'started_at', 'completed_at',
        'records_synced', 'records_failed']) }} as fingerprint
from history
group by organization_id, sync_id, sync_run_id

union all

select
    organization_id,
    sync_id,
    sync_run_id,
    'batch' as file_kind,
    'dlq' as file_name,
    count(*) as record_count,
    cast(null as timestamp) as last_arrived_at,
    {{ sync_logs.fingerprint_of_rows(['dead_letter_id', 'attempt_number', 'message']) }}
        as fingerprint
from attempts
group by organization_id, sync_id, sync_run_id
