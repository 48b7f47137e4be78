{# Counts and times of each touched run, before the order of runs is known. #}
with

files_landed as (
    select * from {{ sync_logs.of_load(ref('int_files__landed')) }}
),

records as (
    select * from {{ ref('int_records__logged') }}
),

runs_touched as (
    select * from {{ ref('int_runs__touched') }}
),

files_live as (
    select files_landed.*
    from files_landed
    inner join runs_touched
        on
            files_landed.organization_id = runs_touched.organization_id
            and files_landed.sync_id = runs_touched.sync_id
            and files_landed.sync_run_id = runs_touched.sync_run_id
    where files_landed.file_kind = 'batch' and files_landed.issue is null
),

record_counts as (
    select /*+ broadcast(files_live) */
        records.organization_id,
        records.sync_id,
        records.sync_run_id,
        count(*) as record_count,
        min(records.batch_started_at) as first_batch_started_at,
        min(records.batch_ended_at) as first_batch_ended_at,
        max(records.batch_ended_at) as last_batch_ended_at,
        coalesce(bool_or(records.canonical_operation = 'mirror'), false) as has_mirror_rows,
        coalesce(
            bool_or(
                records.canonical_operation = 'mirror'
                and records.record_status = 'succeeded'
                and records.identifier is not null
            ),
            false
        ) as has_delivered_mirror_rows,
        coalesce(bool_or(records.record_status = 'not_attempted'), false) as has_aborted_rows
    from records
    inner join files_live
        on {{ sync_logs.is_of_file('records', 'files_live') }}
    group by records.organization_id, records.sync_id, records.sync_run_id
)

select
    runs_touched.organization_id,
    runs_touched.sync_id,
    runs_touched.sync_run_id,
    coalesce(record_counts.record_count, 0) as record_count,
    record_counts.first_batch_started_at,
    record_counts.first_batch_ended_at,
    record_counts.last_batch_ended_at,
    coalesce(record_counts.has_mirror_rows, false) as has_mirror_rows,
    coalesce(record_counts.has_delivered_mirror_rows, false) as has_delivered_mirror_rows,
    coalesce(record_counts.has_aborted_rows, false) as has_aborted_rows
from runs_touched
left join record_counts
    on
        runs_touched.organization_id = record_counts.organization_id
        and runs_touched.sync_id = record_counts.sync_id
        and runs_touched.sync_run_id = record_counts.sync_run_id
