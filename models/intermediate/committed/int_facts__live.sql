{# Names of the committed load. #}
{{ config(materialized='lazy_view') }}
select * from {{ sync_logs.of_committed(ref('int_facts__known')) }}
