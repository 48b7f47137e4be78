{#
  Attempts to send a record that failed: drt logs no other ones, and no operation. All of them are read,
  because a queue is short.
#}
{{ config(enabled=sync_logs.table_sources('drt') | length > 0) }}
with

attempts as (
    select * from {{ ref('int_drt__attempts') }}
)

select
    organization_id,
    sync_id,
    sync_run_id,
    'dlq' as file_name,
    to_json(array(dead_letter_id, cast(attempt_number as string))) as source_key,
    cast(null as string) as log_id,
    identifier,
    record as record_payload,
    'upsert' as operation,
    'failed' as status,
    message as status_message,
    cast(null as timestamp) as batch_started_at,
    failed_at as batch_ended_at,
    cast(null as timestamp) as logged_at,
    cast(null as string) as reported_op_type,
    cast(null as string) as reported_split_group
from attempts
