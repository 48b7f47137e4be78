{#
  Runs whose records have news: their outcomes and counts are computed again. A word that means something else than
  in the committed state is news of the runs that have it.
#}
{{ config(materialized='lazy_view') }}
with

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

records as (
    select * from {{ ref('int_records__logged') }}
),

load_current as (
    select * from {{ sync_logs.committed('load_current') }}
),

committed_runs as (
    select * from {{ sync_logs.committed('runs') }}
    where load_id = (select load_current.load_id from load_current)
),

-- records of them were purged after their outcomes had been counted
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

-- Spark reads nothing for this where no word has changed
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
    and (landed_load_id = '{{ sync_logs.load_id() }}' or {{ sync_logs.is_full_refresh() }})

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
