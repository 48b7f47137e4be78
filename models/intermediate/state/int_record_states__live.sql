{# State of each record after the last run of its sync, as committed. #}
{{ config(materialized='lazy_view') }}
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

{{ sync_logs.last_checkpoints(
    'record_states', 'runs', '(select load_current.has_changes from load_current)') }}

select /*+ broadcast(last_runs), broadcast(changed_rows) */
    record_states.*,
    last_runs.latest_position,
    last_runs.latest_model_name,
    last_runs.data_until_at,
    {{ sync_logs.is_in_snapshot('record_states', 'last_runs') }} as is_in_snapshot
from {{ sync_logs.rows_of_last_checkpoints('record_states') }}
