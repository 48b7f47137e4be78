{# Errors of the syncs of which the changelog is kept. #}
{{ config(materialized='lazy_view') }}
with

record_errors as (
    select * from {{ ref('int_record_errors__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

syncs_left_out as (
    select * from sync_settings
    where not keep_changelog
)

select record_errors.*
from record_errors
left anti join syncs_left_out
    on
        record_errors.organization_id = syncs_left_out.organization_id
        and record_errors.sync_id = syncs_left_out.sync_id
