{#
  Touched runs: this build computes their outcomes and counts again, because it read a batch file of
  the run, records of the run were purged, or a word in the run has another meaning than in the
  committed state.
#}
{{ config(materialized='lazy_view') }}
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
)

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
