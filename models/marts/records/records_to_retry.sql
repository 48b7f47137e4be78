with

record_states as (
    select * from {{ ref('int_record_states__live') }}
    where failure is not null
),

failures as (
    select * from {{ ref('int_failures__built') }}
    where ended_by = 'succeeded' and not payload_changed
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

errors_counted as (
    select * from {{ sync_logs.of_committed(ref('int_errors__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

-- the last success of a record as it had failed with the pattern
patterns_repaired as (
    select /*+ broadcast(runs) */
        failures.organization_id,
        failures.sync_id,
        failures.failure_pattern,
        max(struct(runs.position, failures.ended_at)) as last_repair
    from failures
    inner join runs
        on
            failures.load_id = runs.built_load_id
            and failures.organization_id = runs.organization_id
            and failures.sync_id = runs.sync_id
            and failures.ended_sync_run_id = runs.sync_run_id
    group by failures.organization_id, failures.sync_id, failures.failure_pattern
),

failures_judged as (
    select
        record_states.*,
        errors_counted.category,
        errors_counted.is_transient,
        coalesce(
            patterns_repaired.last_repair.position > record_states.failure.last.position, false
        ) as is_cause_over,
        patterns_repaired.last_repair.ended_at as repaired_at
    from record_states
    left join patterns_repaired
        on
            record_states.organization_id = patterns_repaired.organization_id
            and record_states.sync_id = patterns_repaired.sync_id
            and record_states.last_failure_pattern = patterns_repaired.failure_pattern
    left join errors_counted
        on
            record_states.organization_id = errors_counted.organization_id
            and record_states.sync_id = errors_counted.sync_id
            and record_states.failure.last.reason <=> errors_counted.failed_reason
)

select
    failures_judged.sync_id,
    failures_judged.identifier as row_id,
    case when failures_judged.is_cause_over then 'others succeeded' else 'transient' end
        as retry_reason,
    failures_judged.failure.first.attempted_at as started_at,
    greatest(
        failures_judged.failure.first.attempted_at, failures_judged.failure.last.attempted_at
    ) as last_failed_at,
    failures_judged.failure.last.sync_run_id as last_failed_sync_run_id,
    failures_judged.failure.last.number - failures_judged.failure.first.number + 1
        as failed_run_count,
    failures_judged.failure.last.reason as last_failure_reason,
    failures_judged.last_failure_pattern as failure_pattern,
    failures_judged.category,
    failures_judged.is_transient,
    case when failures_judged.is_cause_over then failures_judged.repaired_at end as repaired_at,
    {{ sync_logs.compared_fields('failures_judged') }} as fields,
    failures_judged.organization_id,
    failures_judged.data_until_at,
    sources.shown.*
from failures_judged
left join sources
    on failures_judged.organization_id = sources.organization_id
where
    (failures_judged.is_cause_over or failures_judged.is_transient)
    and {{ sync_logs.is_kept('failures_judged', 'keep_changelog') }}
