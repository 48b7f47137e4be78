{# Runs whose records have news: their outcomes and counts are computed anew. #}
{{ config(materialized='lazy_view') }}
with

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
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
