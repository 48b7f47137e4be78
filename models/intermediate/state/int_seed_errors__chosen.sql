{# Reasons with which the records of each replayed sync had failed where its replay starts. #}
{{ config(materialized='lazy_view') }}
{% set kinds = sync_logs.kinds_of_starts() %}
with

beside_a_base as (
    {{ sync_logs.rows_at_starts('record_errors', 'changes', kinds) }}
),

to_be_whole as (
    {{ sync_logs.rows_at_starts('record_errors', 'whole', kinds) }}
)

select {{ sync_logs.columns_of_checkpoint('record_errors', 'beside_a_base') }}
from beside_a_base

union all

select {{ sync_logs.columns_of_checkpoint('record_errors', 'to_be_whole') }}
from to_be_whole
