{# Runs of the committed load. #}
{{ config(materialized='lazy_view') }}
select * from {{ sync_logs.of_committed(ref('int_runs__published')) }}
