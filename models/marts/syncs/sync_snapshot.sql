with

record_states as (
    select * from {{ ref('int_record_states__live') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

records_kept as (
    select * from record_states
    where is_in_snapshot
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select /*+ broadcast(runs) */
    records_kept.sync_id,
    case
        when records_kept.outcome_position = records_kept.latest_position
            then records_kept.op_type
        else 'unchanged'
    end as op_type,
    records_kept.identifier as row_id,
    records_kept.status,
    records_kept.failed_reason,
    records_kept.fields,
    coalesce(
        records_kept.reported_split_group,
        {{ sync_logs.payload_field('records_kept.fields', 'runs.split_group_field') }}
    ) as split_group,
    records_kept.organization_id,
    records_kept.failed_reason as failure_reason,
    records_kept.is_delivered,
    records_kept.last_sync_run_id,
    records_kept.last_attempted_at,
    sources.payload_kind,
    sources.shown.*
from records_kept
left join runs
    on
        records_kept.organization_id = runs.organization_id
        and records_kept.sync_id = runs.sync_id
        and records_kept.last_sync_run_id = runs.sync_run_id
left join sources
    on records_kept.organization_id = sources.organization_id
where {{ sync_logs.is_kept('records_kept', 'keep_snapshot') }}
