with

field_changes as (
    select * from {{ ref('int_field_changes__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select /*+ broadcast(runs) */
    field_changes.sync_id,
    field_changes.sync_run_id,
    field_changes.identifier as row_id,
    field_changes.field_name,
    field_changes.change_type,
    field_changes.previous_value,
    field_changes.new_value,
    field_changes.previous_sync_run_id,
    field_changes.changed_at,
    field_changes.organization_id,
    runs.data_until_at,
    sources.payload_kind,
    sources.shown.*
from field_changes
inner join runs
    on
        field_changes.load_id = runs.built_load_id
        and field_changes.organization_id = runs.organization_id
        and field_changes.sync_id = runs.sync_id
        and field_changes.sync_run_id = runs.sync_run_id
left join sources
    on field_changes.organization_id = sources.organization_id
where {{ sync_logs.is_kept('field_changes', 'keep_changelog') }}
