with

failures as (
    select * from {{ ref('int_failures__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

record_states as (
    select * from {{ ref('int_record_states__live') }}
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

runs_followed as (
    select
        organization_id,
        sync_id,
        position,
        count_if(is_settled) over (partition by organization_id, sync_id)
        - count_if(is_settled) over (
            partition by organization_id, sync_id
            order by position
        ) as settled_runs_after
    from runs
    where position is not null
),

ended_failures as (
    select /*+ broadcast(runs) */
        failures.organization_id,
        failures.sync_id,
        failures.identifier,
        failures.failure,
        failures.failure_pattern,
        failures.ended_at,
        failures.ended_sync_run_id,
        failures.ended_by,
        failures.payload_changed,
        cast(null as bigint) as runs_without_attempt,
        runs.data_until_at,
        failures.ended_at as counted_until_at
    from failures
    inner join runs
        on
            failures.load_id = runs.built_load_id
            and failures.organization_id = runs.organization_id
            and failures.sync_id = runs.sync_id
            and failures.ended_sync_run_id = runs.sync_run_id
),

open_failures as (
    select /*+ broadcast(runs_followed) */
        record_states.organization_id,
        record_states.sync_id,
        record_states.identifier,
        record_states.failure,
        record_states.last_failure_pattern as failure_pattern,
        cast(null as timestamp) as ended_at,
        cast(null as string) as ended_sync_run_id,
        cast(null as string) as ended_by,
        cast(null as boolean) as payload_changed,
        runs_followed.settled_runs_after as runs_without_attempt,
        record_states.data_until_at,
        record_states.data_until_at as counted_until_at
    from record_states
    left join runs_followed
        on
            record_states.organization_id = runs_followed.organization_id
            and record_states.sync_id = runs_followed.sync_id
            and record_states.failure.last.position = runs_followed.position
    where record_states.failure is not null
),

failures_known as (
    select * from ended_failures
    union all
    select * from open_failures
)

select
    failures_known.sync_id,
    failures_known.identifier as row_id,
    failures_known.failure.number as failure_number,
    failures_known.failure.first.attempted_at as started_at,
    failures_known.failure.first.sync_run_id as started_sync_run_id,
    greatest(
        failures_known.failure.first.attempted_at, failures_known.failure.last.attempted_at
    ) as last_failed_at,
    failures_known.failure.last.sync_run_id as last_failed_sync_run_id,
    failures_known.ended_at,
    failures_known.ended_sync_run_id,
    failures_known.ended_by,
    failures_known.ended_by is null as is_open,
    failures_known.failure.last.number - failures_known.failure.first.number + 1
        as failed_run_count,
    failures_known.failure.first.reason as first_failure_reason,
    failures_known.failure.last.reason as last_failure_reason,
    failures_known.failure_pattern,
    errors_counted.category,
    errors_counted.is_transient,
    failures_known.failure.first.was_delivered,
    failures_known.failure.first.last_succeeded_at,
    failures_known.payload_changed,
    case
        when failures_known.counted_until_at >= failures_known.failure.first.attempted_at
            then
                (
                    unix_micros(failures_known.counted_until_at)
                    - unix_micros(failures_known.failure.first.attempted_at)
                ) / 3600000000
        when failures_known.counted_until_at < failures_known.failure.first.attempted_at then 0
    end as hours_open,
    failures_known.runs_without_attempt,
    failures_known.organization_id,
    failures_known.data_until_at,
    sources.shown.*
from failures_known
left join errors_counted
    on
        failures_known.organization_id = errors_counted.organization_id
        and failures_known.sync_id = errors_counted.sync_id
        and failures_known.failure.last.reason <=> errors_counted.failed_reason
left join sources
    on failures_known.organization_id = sources.organization_id
where {{ sync_logs.is_kept('failures_known', 'keep_changelog') }}
