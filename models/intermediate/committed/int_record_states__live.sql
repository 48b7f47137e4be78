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

{{ sync_logs.state_as_of('record_states', 'runs', 'sync_run_count',
    run_columns=['latest_position', 'latest_model_name', 'data_until_at', 'last_replacing_position',
        'payload_kind', 'source_name', 'vendor'],
    has_changes='(select load_current.has_changes from load_current)') }}

select
    *,
    {{ sync_logs.is_in_snapshot('record_states_as_of') }} as is_in_snapshot
from record_states_as_of
