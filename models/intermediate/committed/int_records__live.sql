{#
  Records of the committed load: the last readable version of each file, once, without runs that are
  too late. Until the next commit, words keep the meaning that they had for the build that committed
  the load.
#}
{{ config(materialized='lazy_view') }}
with

files_landed as (
    select * from {{ sync_logs.of_committed(ref('int_files__landed')) }}
),

runs_planned as (
    select * from {{ sync_logs.of_committed(ref('int_runs__planned')) }}
),

records as (
    select * from {{ ref('int_records__logged') }}
),

runs_too_late as (
    select * from runs_planned
    where is_too_late
),

files_live as (
    select files_landed.*
    from files_landed
    left anti join runs_too_late
        on
            files_landed.organization_id = runs_too_late.organization_id
            and files_landed.sync_id = runs_too_late.sync_id
            and files_landed.sync_run_id = runs_too_late.sync_run_id
    where
        files_landed.file_kind = 'batch'
        and files_landed.issue is null
)

select /*+ broadcast(files_live) */
    records.load_id,
    records.organization_id,
    records.sync_id,
    records.sync_run_id,
    records.file_name,
    records.batch_type,
    records.batch_number,
    records.row_index,
    records.identifier,
    records.record_payload,
    records.operation,
    records.status,
    records.status_message,
    records.batch_started_at,
    records.batch_ended_at,
    {{ sync_logs.canonical_operation(
        'records.operation',
        'records.reported_op_type',
        sync_logs.committed_word_map('operation')
    ) }} as canonical_operation,
    {{ sync_logs.record_status(
        'records.status', 'records.identifier', sync_logs.committed_word_map('status')) }} as record_status,
    md5(
        concat_ws(
            '/',
            records.organization_id,
            records.sync_id,
            records.sync_run_id,
            records.file_name,
            records.row_index
        )
    ) as record_id,
    records.log_id,
    coalesce(records.logged_at, files_live.landed_at) as logged_at
from records
inner join files_live
    on {{ sync_logs.is_of_file('records', 'files_live') }}
