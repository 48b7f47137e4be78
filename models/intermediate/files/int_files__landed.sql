{# The manifest of files: which load holds the live rows of each, and what could not be read. #}
with

files_planned as (
    select * from {{ ref('int_files__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

load_current as (
    select * from {{ source('sync_logs_state', 'load_current') }}
),

committed_files as (
    select * from {{ source('sync_logs_state', 'files') }}
    where load_id = (select load_current.load_id from load_current)
),

lake_batches as (
    select _metadata.file_path
    from {{ source('sync_logs_lake', 'batches') }}
    where {{ sync_logs.planned_paths_only('batch') }}
),

rowless_files as (
    select
        _metadata.file_path,
        content
    from {{ source('sync_logs_lake', 'files') }}
    where {{ sync_logs.rowless_paths_only() }}
),

records_landed as (
    select * from {{ ref('int_records__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

records_recovered as (
    select * from {{ ref('int_records__recovered') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

records_read as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name
    from records_landed

    union all

    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name
    from records_recovered
),

metadata_landed as (
    select * from {{ ref('int_run_metadata__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

-- asks no column of the file, so the counts are those of its footer and nothing is decoded
footer_counts as (
    select
        file_path,
        count(*) as footer_record_count
    from lake_batches
    group by file_path
),

landed_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        count(*) as record_count
    from records_read
    group by organization_id, sync_id, sync_run_id, file_name
),

-- no rows, and not even the letters that a parquet file begins and ends with
files_that_are_no_parquet as (
    select file_path
    from rowless_files
    where
        substring(content, 1, 4) is distinct from cast('PAR1' as binary)
        or substring(content, -4, 4) is distinct from cast('PAR1' as binary)
),

files_loaded as (
    select
        files_planned.*,
        files_that_are_no_parquet.file_path is null as is_parquet,
        coalesce(footer_counts.footer_record_count, 0) as footer_record_count,
        coalesce(landed_counts.record_count, 0) as record_count,
        metadata_landed.is_readable as is_metadata_readable
    from files_planned
    left join footer_counts
        on files_planned.file_path = footer_counts.file_path
    left join files_that_are_no_parquet
        on files_planned.file_path = files_that_are_no_parquet.file_path
    left join landed_counts
        on
            files_planned.file_kind = 'batch'
            and files_planned.organization_id = landed_counts.organization_id
            and files_planned.sync_id = landed_counts.sync_id
            and files_planned.sync_run_id = landed_counts.sync_run_id
            and files_planned.file_name = landed_counts.file_name
    left join metadata_landed
        on
            files_planned.file_kind = 'metadata'
            and files_planned.organization_id = metadata_landed.organization_id
            and files_planned.sync_id = metadata_landed.sync_id
            and files_planned.sync_run_id = metadata_landed.sync_run_id
    where files_planned.action = 'load'
),

files_kept as (
    select
        files_planned.*,
        committed_files.landed_load_id,
        committed_files.landed_at,
        committed_files.footer_record_count,
        coalesce(committed_files.record_count, 0) as record_count,
        case
            when files_planned.action = 'pruned' and not files_planned.is_committed
                then 'arrived after its run was pruned'
            when
                files_planned.action = 'pruned'
                and (
                    files_planned.file_size != committed_files.file_size
                    or files_planned.file_modified_at != committed_files.file_modified_at
                )
                then 'changed after its run was pruned'
            else committed_files.issue
        end as issue
    from files_planned
    left join committed_files
        on files_planned.relative_path = committed_files.relative_path
    where files_planned.action in ('keep', 'vanished', 'pruned')
)

select
    relative_path,
    file_path,
    file_kind,
    organization_id,
    sync_id,
    sync_run_id,
    file_name,
    batch_type,
    batch_number,
    file_size,
    file_modified_at,
    is_in_lake,
    '{{ sync_logs.load_id() }}' as landed_load_id,
    {{ sync_logs.build_started_at() }} as landed_at,
    footer_record_count,
    record_count,
    case
        when file_kind = 'batch' and not is_parquet then 'not a parquet file'
        when file_kind = 'batch' and record_count != footer_record_count then 'partly unreadable'
        when file_kind = 'metadata' and not coalesce(is_metadata_readable, false)
            then 'not a JSON object'
    end as issue,
    false as is_pruned
from files_loaded

union all

select
    relative_path,
    file_path,
    file_kind,
    organization_id,
    sync_id,
    sync_run_id,
    file_name,
    batch_type,
    batch_number,
    file_size,
    file_modified_at,
    is_in_lake,
    landed_load_id,
    landed_at,
    footer_record_count,
    record_count,
    issue,
    action = 'pruned' as is_pruned
from files_kept
