-- Conservation in the last load: the tables show the rows that the footers of its files declare.
-- Rows of runs that are too late are not shown, and purged rows are not kept. This test checks only
-- the runs that the load read; tests/full_scan checks all runs.
-- depends_on: {{ ref('sync_logs', 'sync_runs') }} (a leaf: a failure here must block nothing)
with

load_current as (
    select * from {{ ref('sync_load_current') }}
    where {{ sync_logs.is_load_to_test() }}
),

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = (select load_current.load_id from load_current)
),

records as (
    select * from {{ ref('int_records__live') }}
    where load_id = (select load_current.load_id from load_current)
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

landed as (
    select * from {{ ref('int_records__landed') }}
    where load_id = (select load_current.load_id from load_current)
),

recovered as (
    select * from {{ ref('int_records__recovered') }}
    where load_id = (select load_current.load_id from load_current)
),

records_purged as (
    select
        organization_id,
        sync_id,
        sync_run_id
    from landed
    where is_purged
    union all
    select
        organization_id,
        sync_id,
        sync_run_id
    from recovered
    where is_purged
),

purged_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        count(*) as purged_count
    from records_purged
    group by organization_id, sync_id, sync_run_id
),

file_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        sum(footer_record_count) as footer_record_count
    from files_landed
    where file_kind = 'batch' and issue is null and landed_load_id = load_id
    group by organization_id, sync_id, sync_run_id
),

record_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        count(*) as record_count
    from records
    group by organization_id, sync_id, sync_run_id
)

select
    file_counts.*,
    record_counts.record_count,
    purged_counts.purged_count,
    runs.record_count as run_record_count
from file_counts
left join record_counts
    on
        file_counts.organization_id = record_counts.organization_id
        and file_counts.sync_id = record_counts.sync_id
        and file_counts.sync_run_id = record_counts.sync_run_id
left join purged_counts
    on
        file_counts.organization_id = purged_counts.organization_id
        and file_counts.sync_id = purged_counts.sync_id
        and file_counts.sync_run_id = purged_counts.sync_run_id
left join runs
    on
        file_counts.organization_id = runs.organization_id
        and file_counts.sync_id = runs.sync_id
        and file_counts.sync_run_id = runs.sync_run_id
where
    not coalesce(runs.is_too_late, false)
    and (
        file_counts.footer_record_count
        != coalesce(record_counts.record_count, 0) + coalesce(purged_counts.purged_count, 0)
        or coalesce(runs.record_count, 0) + coalesce(purged_counts.purged_count, 0)
        < file_counts.footer_record_count
    )
