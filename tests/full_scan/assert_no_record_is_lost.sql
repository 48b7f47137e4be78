{{ config(tags=['full_scan']) }}
-- Conservation: records in readable files of runs that are neither pruned nor too late, minus
-- purged records = sync_records = sync_log + invalid + not attempted + unknown.
with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = (select load_current.load_id from load_current)
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

landed as (
    select * from {{ ref('int_records__landed') }}
),

records as (
    select * from {{ ref('sync_logs', 'sync_records') }}
),

log as (
    select * from {{ ref('sync_logs', 'sync_log') }}
),

runs_too_late as (
    select * from runs
    where is_too_late
),

files_shown as (
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
        and not files_landed.is_pruned
),

records_purged as (
    select landed.*
    from landed
    inner join files_shown
        on {{ sync_logs.is_of_file('landed', 'files_shown') }}
    where landed.is_purged
),

-- a table has no footer: what counts is what was read of it
records_of_tables as (
    select landed.*
    from landed
    inner join files_shown
        on {{ sync_logs.is_of_file('landed', 'files_shown') }}
    where landed.source_row_count is not null
),

counts as (
    select
        (
            select coalesce(sum(files_shown.footer_record_count), 0) from files_shown
        )
        + (select count(*) from records_of_tables) as readable_count,
        (select count(*) from records_purged) as purged_count,
        (select count(*) from records) as record_count,
        (
            select count(*) from records
            where records.record_status not in ('succeeded', 'failed')
        ) as unsent_count,
        (select count(*) from log) as log_count
)

select * from counts
where
    readable_count - purged_count != record_count
    or record_count != log_count + unsent_count
