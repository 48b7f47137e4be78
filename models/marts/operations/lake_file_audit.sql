{{ config(enabled=sync_logs.is_file_audit_on()) }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

files_audited as (
    select * from {{ ref('int_files__audited') }}
    where load_id = (select load_current.load_id from load_current)
)

select
    organization_id,
    sync_id,
    sync_run_id,
    relative_path,
    file_path,
    file_kind,
    file_name,
    file_size,
    issue,
    detail,
    footer_record_count,
    case
        when issue = 'not audited'
            then 'Nothing is known of it yet; mend what the detail names and build again.'
        when issue = 'empty file' and file_kind = 'other'
            then 'It is not part of the layout; delete it if nothing else needs it.'
        when issue = 'empty file' and file_kind = 'metadata'
            then 'The run is loaded without its metadata; write the file again.'
        when issue = 'empty file'
            then 'A writer failed or is still at work; write the file again, or delete it.'
        when issue = 'type not supported'
            then 'Write the column as text, number or timestamp; the next build reads the file.'
        when issue = 'no fault found'
            then 'Write the file again with another writer; report it if that does not help.'
        else 'Replace the file by a whole copy; the next build reads it again.'
    end as remedy
from files_audited
