{# Reasons with which each record has failed, up to the last run of its sync in this load. #}
{{ config(materialized='lazy_view') }}
with

record_errors as (
    select * from {{ ref('int_record_errors__built') }}
),

changelog as (
    select * from {{ ref('int_changelog__built') }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

{{ sync_logs.errors_as_of('runs_planned', 'sync_run_count') }}

select * from errors_as_of
