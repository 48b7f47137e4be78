{#
  Sources of the committed load. Every documented table that shows the source of its rows ends with
  the fields of `shown`, and its contract names them.
#}
{{ config(materialized='lazy_view') }}
with

sources as (
    select * from {{ sync_logs.of_committed(ref('int_sources__known')) }}
)

select
    organization_id,
    payload_kind,
    struct(source_name, vendor) as shown
from sources
