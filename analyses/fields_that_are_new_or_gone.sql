{# Which fields of payloads appeared, vanished, got a new type or were all null, latest first? #}
with

schema_changes as (
    select * from {{ ref('payload_schema_changes') }}
)

select
    organization_id,
    sync_id,
    sync_run_id,
    run_at,
    field_name,
    change_type,
    json_types,
    previous_count,
    new_count
from schema_changes
order by run_at desc nulls last, organization_id asc, sync_id asc, field_name asc
