{# The manifest of files: the load with the live rows of each, and what could not be read. #}
with

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

committed_files as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('files')) }}
),

lake_batches as (
    select _metadata.file_path
    from {{ sync_logs.lake_table('batches') }}
    where {{ sync_logs.planned_paths_only('batch') }}
),

lake_facts as (
    select _metadata.file_path
    from {{ sync_logs.lake_table('facts') }}
    where {{ sync_logs.planned_paths_only('fact') }}
),

-- as bytes, to distinguish an empty file from a broken one; empty files are never large
rowless_batches as (
    select
        _metadata.file_path,
        content
    from {{ sync_logs.lake_table('files') }}
    where _metadata.file_size <= 1048576 and {{ sync_logs.rowless_paths_only('batch') }}
),

rowless_facts as (
    select
        _metadata.file_path,
        content
    from {{ sync_logs.lake_table('fact_files') }}
    where _metadata.file_size <= 1048576 and {{ sync_logs.rowless_paths_only('fact') }}
),

records_landed as (
    select * from {{ sync_logs.of_load(ref('int_records__landed')) }}
),

facts_landed as (
    select * from {{ sync_logs.of_load(ref('int_facts__landed')) }}
),

rows_read as (
    select
        'batch' as file_kind,
        organization_id,
        sync_id,
        sync_run_id,
        file_name
    from records_landed

    union all

    select
        'fact' as file_kind,
        organization_id,
        cast(null as string) as sync_id,
        cast(null as string) as sync_run_id,
        file_name
    from facts_landed
),

metadata_landed as (
    select * from {{ sync_logs.of_load(ref('int_run_metadata__landed')) }}
),

lake_rows as (
    select file_path from lake_batches
    union all
    select file_path from lake_facts
),

-- selects no column of the file, so the counts come from its footer and nothing is decoded
footer_counts as (
    select
        file_path,
        count(*) as footer_record_count
    from lake_rows
    group by file_path
),

read_counts as (
    select
        file_kind,
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        count(*) as record_count
    from rows_read
    group by file_kind, organization_id, sync_id, sync_run_id, file_name
),

source_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        -- a source never had a row that says that a record has vanished from it
        count_if(source_row_count = 0 and reported_op_type is distinct from 'vanished')
            as deleted_row_count,
        sum(greatest(source_row_count - 1, 0)) as duplicate_row_count
    from records_landed
    where source_row_count is not null
    group by organization_id, sync_id, sync_run_id, file_name
),

rowless_contents as (
    select * from rowless_batches
    union all
    select * from rowless_facts
),

-- a parquet file ends with its footer, the footer's length (lowest byte first) and four letters
rowless_ends as (
    select
        file_path,
        content,
        substring(content, 1, 4) <=> cast('PAR1' as binary)
        and substring(content, -4, 4) <=> cast('PAR1' as binary)
        and length(content) > 8 as is_parquet,
        cast(
            conv(
                concat(
                    hex(substring(content, -5, 1)),
                    hex(substring(content, -6, 1)),
                    hex(substring(content, -7, 1)),
                    hex(substring(content, -8, 1))
                ), 16, 10
            ) as bigint
        ) as footer_length
    from rowless_contents
),

-- in the footer of an empty file, these bytes are the number of rows (0) and the list of row groups
rowless_files as (
    select
        file_path,
        is_parquet,
        is_parquet
        and footer_length < length(content) - 8
        and hex(substring(content, cast(-8 - footer_length as int), cast(footer_length as int)))
        rlike '160019[0-9A-F]C' as is_empty
    from rowless_ends
),

files_loaded as (
    select
        files_planned.*,
        coalesce(rowless_files.is_parquet, true) as is_parquet,
        case
            when files_planned.file_path is null then null
            when files_planned.file_kind not in ('batch', 'fact') then null
            when rowless_files.is_empty
                then coalesce(footer_counts.footer_record_count, 0)
            else footer_counts.footer_record_count
        end as footer_record_count,
        coalesce(read_counts.record_count, 0) as record_count,
        {% for name in ['deleted_row_count', 'duplicate_row_count'] %}
            case
                when files_planned.file_kind = 'batch' and files_planned.file_path is null
                    then coalesce(source_counts.{{ name }}, 0)
            end as {{ name }},
        {% endfor %}
        metadata_landed.is_readable as is_metadata_readable
    from files_planned
    left join footer_counts
        on files_planned.file_path = footer_counts.file_path
    left join rowless_files
        on files_planned.file_path = rowless_files.file_path
    left join read_counts
        on
            files_planned.file_kind = read_counts.file_kind
            and files_planned.organization_id = read_counts.organization_id
            and files_planned.sync_id <=> read_counts.sync_id
            and files_planned.sync_run_id <=> read_counts.sync_run_id
            and files_planned.file_name = read_counts.file_name
    left join source_counts
        on
            files_planned.organization_id = source_counts.organization_id
            and files_planned.sync_id = source_counts.sync_id
            and files_planned.sync_run_id = source_counts.sync_run_id
            and files_planned.file_name = source_counts.file_name
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
        committed_files.deleted_row_count,
        committed_files.duplicate_row_count,
        case
            when files_planned.action = 'pruned' and not files_planned.is_committed
                then 'arrived after its run was pruned'
            when
                files_planned.action = 'pruned'
                and (
                    files_planned.file_size != committed_files.file_size
                    or files_planned.file_modified_at != committed_files.file_modified_at
                    or files_planned.fingerprint != committed_files.fingerprint
                )
                then 'changed after its run was pruned'
            -- before 1.0, this issue had another name
            when files_planned.file_kind = 'other' then 'outside the layout'
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
    fingerprint,
    is_in_lake,
    {{ sync_logs.this_load() }} as landed_load_id,
    {{ sync_logs.build_started_at() }} as landed_at,
    footer_record_count,
    record_count,
    deleted_row_count,
    duplicate_row_count,
    case
        -- rows of a table, not a file
        when file_path is null then null
        when file_kind = 'other' then 'outside the layout'
        when file_kind = 'metadata' and not coalesce(is_metadata_readable, false)
            then 'not a JSON object'
        when file_kind = 'metadata' then null
        when footer_record_count is null and not is_parquet then 'not a parquet file'
        when footer_record_count is null then 'footer cannot be read'
        when footer_record_count > 0 and record_count = 0 then 'no row can be read'
        when footer_record_count != record_count then 'partly unreadable'
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
    fingerprint,
    is_in_lake,
    landed_load_id,
    landed_at,
    footer_record_count,
    record_count,
    deleted_row_count,
    duplicate_row_count,
    issue,
    action = 'pruned' as is_pruned
from files_kept
