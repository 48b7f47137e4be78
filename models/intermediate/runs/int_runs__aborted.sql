{#
  The number of records that a touched run did not attempt in the end. The plan needs it only for
  runs with delivered mirror rows. Of these, only runs with aborted rows are read, because the
  others have none.
#}
{{ config(materialized='lazy_view') }}
with

files_landed as (
    select * from {{ sync_logs.of_load(ref('int_files__landed')) }}
),

records as (
    select * from {{ ref('int_records__logged') }}
),

runs_summarised as (
    select * from {{ sync_logs.of_load(ref('int_runs__summarised')) }}
),

mirrors_in_doubt as (
    select * from runs_summarised
    where has_delivered_mirror_rows and has_aborted_rows
),

files_in_doubt as (
    select files_landed.*
    from files_landed
    inner join mirrors_in_doubt
        on
            files_landed.organization_id = mirrors_in_doubt.organization_id
            and files_landed.sync_id = mirrors_in_doubt.sync_id
            and files_landed.sync_run_id = mirrors_in_doubt.sync_run_id
    where files_landed.file_kind = 'batch' and files_landed.issue is null
),

attempts as (
    select /*+ broadcast(files_in_doubt) */
        records.*,
        {{ sync_logs.attempt_rank('records') }} as attempt_rank,
        {{ sync_logs.is_keyed('records') }} as is_keyed
    from records
    inner join files_in_doubt
        on {{ sync_logs.is_of_file('records', 'files_in_doubt') }}
),

-- the same order as in int_attempts__final
final_attempts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        max_by(
            record_status = 'not_attempted' and canonical_operation != 'unknown',
            struct(attempt_rank, batch_ended_at, batch_number, file_name, row_index)
        ) as is_aborted
    from attempts
    where attempt_rank is not null
    group by
        organization_id,
        sync_id,
        sync_run_id,
        case when is_keyed then identifier end,
        case when not is_keyed then struct(file_name, row_index) end
)

select
    organization_id,
    sync_id,
    sync_run_id,
    count_if(is_aborted) as aborted_count
from final_attempts
group by organization_id, sync_id, sync_run_id
