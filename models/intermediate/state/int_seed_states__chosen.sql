{# State of the records of each replayed sync at the checkpoint from which its replay starts. #}
{{ config(materialized='lazy_view') }}
{{ sync_logs.rows_at_starts('record_states') }}
