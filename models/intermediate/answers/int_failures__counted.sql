{# Failures of each sync, open and ended, counted by their times and runs. #}
with

failures as (
    select * from {{ ref('int_failures__built') }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

record_states_counted as (
    select * from {{ sync_logs.of_load(ref('int_record_states__counted')) }}
    where failing_since_position is not null
),

ended_failures as (
    select /*+ broadcast(runs_planned) */
        failures.organization_id,
        failures.sync_id,
        failures.failure.first.attempted_at as started_at,
        failures.failure.first.position as started_position,
        failures.ended_at,
        runs_planned.position as ended_position,
        failures.ended_by
    from failures
    inner join runs_planned
        on
            failures.load_id = runs_planned.built_load_id
            and failures.organization_id = runs_planned.organization_id
            and failures.sync_id = runs_planned.sync_id
            and failures.ended_sync_run_id = runs_planned.sync_run_id
)

select
    organization_id,
    sync_id,
    started_at,
    started_position,
    ended_at,
    ended_position,
    ended_by,
    count(*) as failure_count
from ended_failures
group by
    organization_id, sync_id, started_at, started_position, ended_at, ended_position, ended_by

union all

select
    organization_id,
    sync_id,
    failing_since_at as started_at,
    failing_since_position as started_position,
    cast(null as timestamp) as ended_at,
    cast(null as int) as ended_position,
    cast(null as string) as ended_by,
    sum(record_count) as failure_count
from record_states_counted
group by organization_id, sync_id, failing_since_at, failing_since_position
