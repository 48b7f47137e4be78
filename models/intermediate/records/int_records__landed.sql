{# The only copy of the lake's records that must exist. Ids come from the plan, once per file. #}
with

lake_batches as (
    select
        *,
        _metadata.file_path,
        _metadata.row_index
    from {{ source('sync_logs_lake', 'batches') }}
    where {{ sync_logs.openable_paths_only('batch') }}
),

files_planned as (
    select * from {{ ref('int_files__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

files_to_load as (
    select * from files_planned
    where action = 'load' and file_kind = 'batch'
)

select /*+ broadcast(files_to_load) */
    files_to_load.organization_id,
    files_to_load.sync_id,
    files_to_load.sync_run_id,
    files_to_load.file_name,
    files_to_load.batch_type,
    files_to_load.batch_number,
    lake_batches.row_index,
    lake_batches.identifier,
    lake_batches.record_payload,
    lake_batches.operation,
    lake_batches.status,
    lake_batches.status_message,
    lake_batches.batch_started_at,
    lake_batches.batch_ended_at
from lake_batches
inner join files_to_load
    on lake_batches.file_path = files_to_load.file_path
