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
    alerts.value_sync_run_id,
    alerts.threshold,
    alerts.failure_pattern,
    case alerts.rule
        when 'run_failed' then 'The run failed or was aborted.'
        when 'rejection_rate'
            then format_string(
                'The destination rejected %.1f %% of the records.',
                100 * alerts.value
            )
        when 'invalid_rate'
            then format_string('%.1f %% of the planned records were invalid.', 100 * alerts.value)
        when 'new_error_pattern'
            then concat(
                format_string('%.0f records failed with a new error: ', alerts.value),
                coalesce(alerts.failure_pattern, '(no message)')
            )
        when 'record_count'
            then format_string(
                'The run had far more or fewer records than usual: %.1f median deviations away.',
                alerts.value
            )
        when 'mass_removal'
            then format_string('%.1f %% of the audience left in one run.', 100 * alerts.value)
        when 'full_resync'
            then format_string(
                '%.1f %% of the records that the run added were in the destination already.',
                100 * alerts.value
            )
        when 'duration'
            then format_string('The run took %.1f times as long as usual.', alerts.value)
        when 'incomplete_log' then 'The log of the run is incomplete: see log_coverage.'
        when 'old_failures'
            then format_string('%.0f records have been failing for at least 7 days.', alerts.value)
        when 'payload_schema'
            then format_string(
                'Fields of the payload that changed: %.0f (see payload_schema_changes).',
                alerts.value
            )
        when 'late'
            then format_string(
                'No run came for %.1f times the longest gap of its kind before.', alerts.value
            )
    end as message,
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
