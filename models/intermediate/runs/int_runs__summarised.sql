{#
  Counts and times of each touched run, before the order of runs is known. A run is touched if this
  build read a batch file of it, records of it were purged, or a word in it has another meaning than
  in the committed state.
#}
with

files_landed as (
    select * from {{ sync_logs.of_load(ref('int_files__landed')) }}
),

records as (
    select * from {{ ref('int_records__logged') }}
),

committed_runs as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('runs')) }}
),

-- records of these runs were purged after the runs had been counted
runs_to_recount as (
    select
        organization_id,
        sync_id,
        sync_run_id
    from committed_runs
    where is_recount_due
),

files_live as (
    select * from files_landed
    where file_kind = 'batch' and issue is null
),

-- if no word has changed, the condition is `false` and Spark reads no record
runs_with_changed_words as (
    select /*+ broadcast(files_live) */ distinct
        records.organization_id,
        records.sync_id,
        records.sync_run_id
    from records
    inner join files_live
        on {{ sync_logs.is_of_file('records', 'files_live') }}
    where {{ sync_logs.has_changed_word('records', sync_logs.changed_words()) }}
),

runs_touched as (
    select
        organization_id,
        sync_id,
        sync_run_id
    from files_landed
    where
        file_kind = 'batch'
        and is_pruned is not true
        and (
            landed_load_id = {{ sync_logs.this_load() }}
            or {{ sync_logs.is_full_refresh() }}
            or {{ sync_logs.is_replay_due() }}
        )

    union distinct

    select
        organization_id,
        sync_id,
        sync_run_id
    from runs_to_recount

    union distinct

    select
        organization_id,
        sync_id,
        sync_run_id
    from runs_with_changed_words
),

files_touched as (
    select files_live.*
    from files_live
    inner join runs_touched
        on
            files_live.organization_id = runs_touched.organization_id
            and files_live.sync_id = runs_touched.sync_id
            and files_live.sync_run_id = runs_touched.sync_run_id
),

record_counts as (
    select /*+ broadcast(files_touched) */
        records.organization_id,
        records.sync_id,
        records.sync_run_id,
        count(*) as record_count,
        min(records.batch_started_at) as first_batch_started_at,
        min(records.batch_ended_at) as first_batch_ended_at,
        max(records.batch_ended_at) as last_batch_ended_at,
        coalesce(bool_or(records.canonical_operation = 'mirror'), false) as has_mirror_rows,
        coalesce(
            bool_or(
                records.canonical_operation = 'mirror'
                and records.record_status = 'succeeded'
                and records.identifier is not null
            ),
            false
        ) as has_delivered_mirror_rows,
        coalesce(bool_or(records.record_status = 'not_attempted'), false) as has_aborted_rows
    from records
    inner join files_touched
        on {{ sync_logs.is_of_file('records', 'files_touched') }}
    group by records.organization_id, records.sync_id, records.sync_run_id
),

-- only these runs have records that matter to the order of runs if they were not attempted
mirrors_in_doubt as (
    select * from record_counts
    where has_delivered_mirror_rows and has_aborted_rows
),

files_in_doubt as (
    select files_touched.*
    from files_touched
    inner join mirrors_in_doubt
        on
            files_touched.organization_id = mirrors_in_doubt.organization_id
            and files_touched.sync_id = mirrors_in_doubt.sync_id
            and files_touched.sync_run_id = mirrors_in_doubt.sync_run_id
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

final_attempts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        max_by(
            record_status = 'not_attempted' and canonical_operation != 'unknown',
            struct({{ sync_logs.attempt_order() }})
        ) as is_aborted
    from attempts
    where attempt_rank is not null
    group by
        organization_id,
        sync_id,
        sync_run_id,
        case when is_keyed then identifier end,
        case when not is_keyed then struct(file_name, row_index) end
),

aborted_counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        count_if(is_aborted) as aborted_count
    from final_attempts
    group by organization_id, sync_id, sync_run_id
)

select
    runs_touched.organization_id,
    runs_touched.sync_id,
    runs_touched.sync_run_id,
    coalesce(record_counts.record_count, 0) as record_count,
    record_counts.first_batch_started_at,
    record_counts.first_batch_ended_at,
    record_counts.last_batch_ended_at,
    coalesce(record_counts.has_mirror_rows, false) as has_mirror_rows,
    coalesce(record_counts.has_delivered_mirror_rows, false) as has_delivered_mirror_rows,
    coalesce(aborted_counts.aborted_count, 0) as aborted_count
from runs_touched
left join record_counts
    on
        runs_touched.organization_id = record_counts.organization_id
        and runs_touched.sync_id = record_counts.sync_id
        and runs_touched.sync_run_id = record_counts.sync_run_id
left join aborted_counts
    on
        runs_touched.organization_id = aborted_counts.organization_id
        and runs_touched.sync_id = aborted_counts.sync_id
        and runs_touched.sync_run_id = aborted_counts.sync_run_id
