{# State of each record after the last run of its sync, as committed. #}
{{ config(materialized='lazy_view') }}
{% set key = sync_logs.checkpoint_key('record_states') %}
with

record_states as (
    select * from {{ ref('int_record_states__built') }}
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
        'record_states', 'last_runs', key, '(select load_current.has_changes from load_current)') }}
)

select /*+ broadcast(last_runs), broadcast(changed_rows) */
    record_states.*,
    last_runs.latest_position,
    last_runs.latest_model_name,
    last_runs.data_until_at,
    -- neither deleted, nor left out by the last replacing run
    not (record_states.canonical_operation = 'delete' and not record_states.is_delivered)
    and record_states.outcome_position >= coalesce(last_runs.last_replacing_position, 0)
        as is_in_snapshot
from {{ sync_logs.layered_rows('record_states', 'last_runs', 'changed_rows', key) }}
