{# State of the records of each replayed sync at the checkpoint from which its replay starts. #}
{{ config(materialized='lazy_view') }}
with

beside_a_base as (
    select * from {{ ref('int_seed_states__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

to_be_whole as (
    {{ sync_logs.rows_at_starts('record_states', 'whole', sync_logs.kinds_of_starts()) }}
)

select {{ sync_logs.columns_of_checkpoint('record_states', 'beside_a_base') }}
from beside_a_base

union all

select {{ sync_logs.columns_of_checkpoint('record_states', 'to_be_whole') }}
from to_be_whole
