{#
  The findings of the audit are read as a source, not as a model. The audit is a Python model: if it
  fails or is off, this table still lists the files that could not be read.
#}
with

files_landed as (
    select * from {{ sync_logs.of_committed(ref('int_files__landed')) }}
),

files_audited as (
    {% if sync_logs.runs_python_models() %}
        select * from {{ sync_logs.of_committed(sync_logs.committed('files_audited')) }}
    {% else %}
        select
            {% for name in [
                'relative_path', 'file_path', 'file_kind', 'file_name',
                'organization_id', 'sync_id', 'sync_run_id', 'issue', 'detail',
            ] %}
                cast(null as string) as {{ name }},
            {% endfor %}
            cast(null as bigint) as file_size,
            cast(null as bigint) as footer_record_count
        where false
    {% endif %}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

-- a file can have several faults, for example in several columns
files_explained as (
    select
        relative_path,
        array_join(array_sort(collect_set(issue)), ', ') as reason,
        array_join(array_sort(collect_set(detail)), ' ') as detail,
        bool_or(issue = 'type not supported') as has_unsupported_type,
        bool_or(issue = 'no fault found') as has_no_fault
    from files_audited
    where issue not in ('empty file', 'hidden from queries', 'no longer found')
    group by relative_path
),

files_with_issues as (
    select
        files_landed.relative_path,
        files_landed.file_path,
        files_landed.file_kind,
        files_landed.organization_id,
        files_landed.sync_id,
        files_landed.sync_run_id,
        files_landed.file_name,
        files_landed.file_size,
        files_landed.issue,
        files_landed.footer_record_count,
        files_landed.record_count as loaded_record_count,
        case
            when
                files_landed.issue
                in ('arrived after its run was pruned', 'changed after its run was pruned')
                then 'Not read: the history of its run was pruned. Nothing to do.'
            when files_landed.file_kind = 'other'
                then 'Not read. Move it into the layout, or out of the lake.'
            when files_landed.file_kind = 'metadata'
                then 'The run is loaded without its metadata. Correct the file or replace it.'
            when files_explained.has_unsupported_type
                then 'Not published. Write the column as text, number or timestamp.'
            when files_explained.has_no_fault
                then 'Not published. Write it with another writer; report it if that does not help.'
            when files_landed.issue = 'no row can be read' and files_explained.reason is null
                then 'Not published: damaged, or of unknown types. Replace it by a whole file.'
            else 'Not published: a part is worse than nothing. Replace it by a whole file.'
        end as remedy,
        files_explained.reason,
        files_explained.detail,
        files_landed.organization_id as source_organization_id
    from files_landed
    left join files_explained
        on files_landed.relative_path = files_explained.relative_path
    where files_landed.issue is not null and files_landed.is_in_lake
),

files_gone as (
    select * from files_audited
    where issue = 'no longer found'
),

-- no query shows these files, so no manifest has them
files_unseen as (
    select
        files_audited.relative_path,
        files_audited.file_path,
        files_audited.file_kind,
        files_audited.organization_id,
        files_audited.sync_id,
        files_audited.sync_run_id,
        files_audited.file_name,
        files_audited.file_size,
        files_audited.issue,
        files_audited.footer_record_count,
        cast(0 as bigint) as loaded_record_count,
        case
            when files_audited.issue = 'hidden from queries'
                then 'Not read, nor is what is in it. Rename it, or move it out of the lake.'
            when files_audited.file_kind = 'other'
                then 'Not part of the layout. Delete it if nothing else needs it.'
            when files_audited.file_kind = 'metadata'
                then 'The run is loaded without its metadata. Write the file again.'
            else 'A writer failed or is still at work. Write the file again, or delete it.'
        end as remedy,
        cast(null as string) as reason,
        files_audited.detail,
        -- no file of the organisation may be on record, but the lake is
        cast(null as string) as source_organization_id
    from files_audited
    left anti join files_gone on files_audited.relative_path = files_gone.relative_path
    where files_audited.issue in ('empty file', 'hidden from queries')
),

issues as (
    select * from files_with_issues
    union all
    select * from files_unseen
)

select
    issues.organization_id,
    issues.sync_id,
    issues.sync_run_id,
    issues.file_path,
    issues.file_kind,
    issues.issue,
    issues.footer_record_count,
    issues.loaded_record_count,
    issues.remedy,
    issues.relative_path,
    issues.file_name,
    issues.file_size,
    issues.reason,
    issues.detail,
    sources.shown.*
from issues
left join sources
    on issues.source_organization_id <=> sources.organization_id
