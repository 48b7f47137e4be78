with

syncs as (
    select * from {{ sync_logs.of_committed(ref('int_syncs__counted')) }}
),

alerts as (
    select * from {{ ref('sync_logs', 'sync_alerts') }}
    where is_open and not is_muted
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

alerts_counted as (
    select
        organization_id,
        sync_id,
        count(*) as open_alert_count,
        count_if(severity = 'critical') as open_critical_count,
        bool_or(rule = 'late') as is_late,
        min(opened_at) as unhealthy_since_at,
        to_json(
            array_sort(
                collect_list(
                    struct(severity != 'critical' as is_minor, opened_at, alert_id, message)
                )
            ).message
        ) as messages
    from alerts
    group by organization_id, sync_id
)

select
    syncs.sync_id,
    case
        when alerts_counted.is_late then 'silent'
        when alerts_counted.open_critical_count > 0 then 'critical'
        when alerts_counted.open_alert_count > 0 then 'warning'
        else 'ok'
    end as health,
    coalesce(alerts_counted.open_alert_count, 0) as open_alert_count,
    coalesce(alerts_counted.open_critical_count, 0) as open_critical_count,
    coalesce(alerts_counted.messages, '[]') as messages,
    alerts_counted.unhealthy_since_at,
    syncs.organization_id,
    syncs.data_until_at,
    sources.shown.*
from syncs
left join alerts_counted
    on
        syncs.organization_id = alerts_counted.organization_id
        and syncs.sync_id = alerts_counted.sync_id
left join sources
    on syncs.organization_id = sources.organization_id
where {{ sync_logs.is_kept('syncs', 'keep_runs') }}
