{# Names of the committed load. #}
{{ config(materialized='lazy_view') }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
)

select *
from {{ ref('int_facts__known') }}
where load_id = (select load_current.load_id from load_current)
