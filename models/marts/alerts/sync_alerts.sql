with

alerts as (
    select * from {{ sync_logs.of_committed(ref('int_alerts__found')) }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

patterns as (
    select patterns.*
    from {{ sync_logs.of_committed(ref('int_error_patterns__counted')) }} as patterns
    where {{ sync_logs.is_kept('patterns', 'keep_changelog') }}
),

syncs as (
    select * from {{ sync_logs.of_committed(ref('int_syncs__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
)

select
    alerts.sync_id,
    md5(
        concat_ws(
            '/',
            alerts.organization_id,
            alerts.sync_id,
            alerts.rule,
            alerts.opened_sync_run_id,
            alerts.failure_pattern
        )
    ) as alert_id,
    alerts.rule,
    alerts.severity,
    alerts.worst_severity,
    alerts.resolved_sync_run_id is null as is_open,
    alerts.opened_at,
    alerts.opened_sync_run_id,
    alerts.worsened_at,
    alerts.worsened_sync_run_id,
    alerts.resolved_at,
    alerts.resolved_sync_run_id,
    alerts.value,
    alerts.threshold,
    alerts.failure_pattern,
    {{ sync_logs.alert_message('alerts.rule', 'alerts.value', 'alerts.failure_pattern') }}
        as message,
    case when alerts.rule = 'new_error_pattern' then patterns.sample_identifiers end as sample,
    alerts.is_muted,
    alerts.organization_id,
    syncs.data_until_at,
    sources.shown.*
from alerts
left join patterns
    on
        alerts.organization_id = patterns.organization_id
        and alerts.sync_id = patterns.sync_id
        and alerts.failure_pattern <=> patterns.failure_pattern
left join syncs
    on
        alerts.organization_id = syncs.organization_id
        and alerts.sync_id = syncs.sync_id
left join sources
    on alerts.organization_id = sources.organization_id
where {{ sync_logs.is_kept('alerts', 'keep_runs') }}
