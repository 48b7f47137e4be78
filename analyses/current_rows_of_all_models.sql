{#
  Which rows does each model have now, and which of them are in the destination? A row whose last
  change was rejected is still there, with its older values. A row that was never accepted is not.
#}
{% set organization_id = '501' %}
with

snapshot as (
    select * from {{ ref('sync_snapshot') }}
    where organization_id = '{{ organization_id }}'
),

syncs as (
    select * from {{ ref('sync_statistics') }}
)

select
    syncs.model_name,
    snapshot.row_id,
    snapshot.is_delivered,
    snapshot.op_type,
    snapshot.status,
    snapshot.last_attempted_at,
    snapshot.fields
from snapshot
left join syncs
    on
        snapshot.organization_id = syncs.organization_id
        and snapshot.sync_id = syncs.sync_id
order by syncs.model_name asc nulls last, snapshot.row_id asc
