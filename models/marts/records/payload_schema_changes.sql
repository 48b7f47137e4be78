with

changes_found as (
    select * from {{ sync_logs.of_committed(ref('int_schema_changes__found')) }}
),

syncs as (
    select * from {{ sync_logs.of_committed(ref('int_syncs__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    changes_found.sync_id,
    changes_found.sync_run_id,
    changes_found.run_at,
    changes_found.field_name,
    changes_found.change_type,
    changes_found.json_types,
    changes_found.previous_sync_run_id,
    changes_found.previous_count,
    changes_found.previous_payload_count,
    changes_found.new_count,
    changes_found.payload_count,
    changes_found.organization_id,
    syncs.data_until_at,
    sources.shown.*
from changes_found
left join syncs
    on
        changes_found.organization_id = syncs.organization_id
        and changes_found.sync_id = syncs.sync_id
left join sources
    on changes_found.organization_id = sources.organization_id
where {{ sync_logs.is_kept('changes_found', 'keep_changelog') }}
