{# Reasons with which each record has failed, up to the last run of its sync, as committed. #}
{{ config(materialized='lazy_view') }}
with

record_errors as (
    select * from {{ ref('int_record_errors__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

last_runs as (
    select * from runs
    where position = sync_run_count
)

select /*+ broadcast(last_runs) */
    record_errors.*,
    last_runs.data_until_at
from record_errors
inner join last_runs
    on
        record_errors.load_id = last_runs.checkpoint_load_id
        and record_errors.organization_id = last_runs.organization_id
        and record_errors.sync_id = last_runs.sync_id
        and record_errors.position = last_runs.position
