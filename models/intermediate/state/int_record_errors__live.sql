{# Reasons with which each record has failed, up to the last run of its sync, as committed. #}
{{ config(materialized='lazy_view') }}
{% set key = sync_logs.checkpoint_key('record_errors') %}
with

record_errors as (
    select * from {{ ref('int_record_errors__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

load_current as (
    select * from {{ ref('sync_load_current') }}
),

last_runs as (
    {{ sync_logs.checkpoint_layers('runs', 'sync_run_count') }}
),

changed_rows as (
    {{ sync_logs.changed_keys(
        'record_errors', 'last_runs', key, '(select load_current.has_changes from load_current)') }}
)

select /*+ broadcast(last_runs), broadcast(changed_rows) */
    record_errors.*,
    last_runs.data_until_at
from {{ sync_logs.layered_rows('record_errors', 'last_runs', 'changed_rows', key) }}
