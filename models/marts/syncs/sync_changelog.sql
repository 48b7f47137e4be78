with

changelog as (
    select * from {{ ref('int_changelog__built') }}
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
    changelog.sync_id,
    changelog.sync_run_id,
    changelog.op_type,
    changelog.identifier as row_id,
    changelog.status,
    changelog.failed_reason,
    changelog.fields,
    coalesce(
        changelog.reported_split_group,
        {{ sync_logs.payload_field('changelog.fields', 'runs.split_group_field') }}
    ) as split_group,
    changelog.organization_id,
    md5(
        concat_ws(
            '/',
            changelog.organization_id,
            changelog.sync_id,
            changelog.sync_run_id,
            changelog.file_name,
            changelog.row_index
        )
    ) as changelog_id,
    changelog.failed_reason as failure_reason,
    changelog.record_status,
    changelog.batch_ended_at as attempted_at,
    sources.payload_kind,
    sources.shown.*
from changelog
inner join runs
    on
        changelog.load_id = runs.built_load_id
        and changelog.organization_id = runs.organization_id
        and changelog.sync_id = runs.sync_id
        and changelog.sync_run_id = runs.sync_run_id
left join sources
    on changelog.organization_id = sources.organization_id
where {{ sync_logs.is_kept('changelog', 'keep_changelog') }}
