{# Which rows did a sync send, from which source object to which object of which destination? #}
{% set organization_id = '501' %}
{% set sync_id = '3001' %}
with

sent_rows as (
    select * from {{ ref('sync_log') }}
    where
        organization_id = '{{ organization_id }}'
        and sync_id = '{{ sync_id }}'
),

source_objects as (
    select * from {{ ref('source_objects') }}
),

destinations as (
    select * from {{ ref('destinations') }}
),

destination_objects as (
    select * from {{ ref('destination_objects') }}
)

-- fact files arrive later than the rows, or never: keep rows without names
select
    sent_rows.record_identifier,
    sent_rows.operation,
    sent_rows.status,
    sent_rows.batch_completed_at,
    source_objects.name as source_object,
    destinations.name as destination,
    destination_objects.name as destination_object
from sent_rows
left join source_objects
    on
        sent_rows.organization_id = source_objects.organization_id
        and sent_rows.source_object_id = source_objects.id
left join destinations
    on
        sent_rows.organization_id = destinations.organization_id
        and sent_rows.destination_id = destinations.id
left join destination_objects
    on
        sent_rows.organization_id = destination_objects.organization_id
        and sent_rows.destination_object_id = destination_objects.id
order by sent_rows.batch_completed_at desc, sent_rows.record_identifier asc, sent_rows.log_id asc
