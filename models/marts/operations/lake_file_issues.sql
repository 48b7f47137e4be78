with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = (select load_current.load_id from load_current)
)

select
    organization_id,
    sync_id,
    sync_run_id,
    file_path,
    file_kind,
    issue,
    footer_record_count,
    record_count as loaded_record_count,
    case
        when issue like '%its run was pruned'
            then 'Not read: the history of its run was pruned. Nothing to do.'
        when file_kind = 'other' then 'Not read. Move it into the layout, or out of the lake.'
        when file_kind = 'metadata'
            then 'The run is loaded without its metadata. Mend or replace it to have it read again.'
        when issue = 'no row can be read'
            then 'Not published: damaged, or of unknown types. Replace it to have it read again.'
        else 'Not published: a part is worse than nothing. Replace it to have it read again.'
    end as remedy
from files_landed
where issue is not null and is_in_lake
