{# Reasons with which the records of each replayed sync had failed where its replay starts. #}
{{ config(materialized='lazy_view') }}
{{ sync_logs.rows_at_starts('record_errors') }}
