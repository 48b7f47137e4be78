-- Conservation in the last load: the tables show the rows that its sources have. For a file, these
-- are the rows that its footer declares. For a run in a table of a vendor, they are the rows that
-- the plan counted before the run was read: all of them were read, what was landed is shown, and no
-- row is missing that the previous load had. A snapshot lands only rows with news, but each of its
-- records is known afterwards.
-- Rows of runs that are too late are not shown, and purged rows are not kept. A table has no trace
-- of its purged rows, so its syncs with a purge are not compared. This test checks only the runs
-- that the load read; tests/full_scan checks all runs.
-- depends_on: {{ ref('sync_logs', 'sync_runs') }} (a leaf: a failure here must block nothing)
with

load_current as (
    select * from {{ ref('sync_load_current') }}
    where {{ sync_logs.is_load_to_test() }}
),

all_files as (
    select * from {{ ref('int_files__landed') }}
),

loads as (
    select * from {{ ref('int_loads__recorded') }}
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

received as (
    select * from landed
    where source_row_count is not null
),

record_states as (
    select * from {{ ref('int_record_states__live') }}
),

purged_records as (
    select * from {{ sync_logs.committed('purged_records') }}
),

files_landed as (
    select * from all_files
    where load_id = (select load_current.load_id from load_current)
),

-- a build that was killed has no entry in the history of builds
files_committed_before as (
    select all_files.*
    from all_files
    left semi join loads
        on
            all_files.load_id = loads.recorded_load_id
            and all_files.load_id < loads.load_id
),

files_before as (
    select
        relative_path,
        max_by(record_count, load_id) as record_count
    from files_committed_before
    where file_path is null
    group by relative_path
),

-- syncs of tables with a purge cannot be compared
files_compared as (
    select files_landed.*
    from files_landed
    left anti join purged_records
        on
            files_landed.file_path is null
            and files_landed.organization_id = purged_records.organization_id
            and coalesce(files_landed.sync_id = purged_records.sync_id, true)
    where
        files_landed.file_kind = 'batch'
        and files_landed.issue is null
        and files_landed.landed_load_id = files_landed.load_id
        and not files_landed.is_pruned
),

purged_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        count(*) as purged_count
    from landed
    where is_purged
    group by organization_id, sync_id, sync_run_id
),

-- of each run in a table: the rows of the source that were read, and the rows that they became
received_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        sum(source_row_count) as source_row_count,
        count(distinct source_key) + max(if(source_key is null, 1, 0)) as key_count
    from received
    group by organization_id, sync_id, sync_run_id, file_name
),

snapshots_compared as (
    select * from files_compared
    where file_path is null and file_name = 'sync_snapshot'
),

identifiers_known as (
    select
        record_states.organization_id,
        record_states.sync_id,
        record_states.identifier
    from record_states
    left semi join snapshots_compared
        on
            record_states.organization_id = snapshots_compared.organization_id
            and record_states.sync_id = snapshots_compared.sync_id
    union distinct
    -- a record that was not attempted has no state
    select
        organization_id,
        sync_id,
        identifier
    from received
    where file_name = 'sync_snapshot'
),

known_counts as (
    select
        organization_id,
        sync_id,
        count(*) as known_count
    from identifiers_known
    group by organization_id, sync_id
),

files_counted as (
    select
        files_compared.*,
        case
            when files_compared.file_path is not null then files_compared.footer_record_count
            else coalesce(received_counts.key_count, 0)
        end as row_count,
        case
            when files_compared.file_path is not null then 0
            when files_compared.file_name = 'sync_snapshot'
                then files_compared.file_size - coalesce(known_counts.known_count, 0)
            else files_compared.file_size - coalesce(received_counts.source_row_count, 0)
        end as unread_count,
        case
            when files_compared.file_path is not null then 0
            else
                abs(files_compared.record_count - coalesce(received_counts.key_count, 0))
                + greatest(files_before.record_count - files_compared.record_count, 0)
        end as unkept_count
    from files_compared
    left join received_counts
        on
            files_compared.organization_id = received_counts.organization_id
            and files_compared.sync_id = received_counts.sync_id
            and files_compared.sync_run_id = received_counts.sync_run_id
            and files_compared.file_name = received_counts.file_name
            and files_compared.file_path is null
    left join files_before
        on files_compared.relative_path = files_before.relative_path
    left join known_counts
        on
            files_compared.organization_id = known_counts.organization_id
            and files_compared.sync_id = known_counts.sync_id
),

-- a run has files or arrivals, and one of them must not make up for another
file_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        sum(row_count) as row_count,
        sum(greatest(unread_count, 0)) as unread_count,
        sum(unkept_count) as unkept_count
    from files_counted
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
        file_counts.unread_count > 0
        or file_counts.unkept_count > 0
        or file_counts.row_count
        != coalesce(record_counts.record_count, 0) + coalesce(purged_counts.purged_count, 0)
        or coalesce(runs.record_count, 0) + coalesce(purged_counts.purged_count, 0)
        < file_counts.row_count
    )
