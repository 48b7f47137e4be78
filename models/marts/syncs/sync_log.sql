with

records as (
    select * from {{ ref('int_records__live') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
)

select /*+ broadcast(runs) */
    coalesce(records.log_id, records.record_id) as log_id,
    records.sync_id,
    records.sync_run_id,
    records.identifier as record_identifier,
    records.record_payload,
    records.batch_started_at,
    records.batch_ended_at as batch_completed_at,
    records.operation,
    case records.record_status when 'succeeded' then 'succeeded' else 'rejected' end as status,
    records.status_message,
    records.logged_at as _census_logged_at,
    runs.destination_id,
    runs.destination_object_id,
    runs.source_id,
    runs.source_object_id,
    records.organization_id,
    sources.payload_kind,
    sources.shown.*
from records
left join runs
    on
        records.organization_id = runs.organization_id
        and records.sync_id = runs.sync_id
        and records.sync_run_id = runs.sync_run_id
left join sources
    on records.organization_id = sources.organization_id
where records.record_status in ('succeeded', 'failed')
