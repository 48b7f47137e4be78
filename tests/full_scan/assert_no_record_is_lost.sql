{{ config(tags=['full_scan']) }}
-- Conservation: records in readable files = sync_records
-- = sync_log + invalid + not attempted + unknown.
with

files_landed as (
    select * from {{ ref('int_files__landed') }}
),

load_current as (
    select * from {{ ref('sync_load_current') }}
),

records as (
    select * from {{ ref('sync_records') }}
),

log as (
    select * from {{ ref('sync_log') }}
),

counts as (
    select
        (
            select coalesce(sum(files_landed.footer_record_count), 0) from files_landed
            where
                files_landed.load_id = (select load_current.load_id from load_current)
                and files_landed.file_kind = 'batch'
                and files_landed.issue is null
        ) as readable_count,
        (select count(*) from records) as record_count,
        (
            select count(*) from records
            where records.record_status not in ('succeeded', 'failed')
        ) as unsent_count,
        (select count(*) from log) as log_count
)

select * from counts
where readable_count != record_count or record_count != log_count + unsent_count
