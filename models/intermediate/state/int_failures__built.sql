{#
  Failures of records that ended in the replayed runs. Open ones are in the states. A changelog row has
  the failure that ended with it, or before it because of a replacing run. A failure that a replacing
  run ended after the last row of its record comes from the last state of the record.
#}
with

changelog as (
    select * from {{ sync_logs.of_load(ref('int_changelog__built')) }}
),

starting_states as (
    select * from {{ sync_logs.of_load(ref('int_starting_states__found')) }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

replacements as (
    {{ sync_logs.replacements('runs_planned') }}
),

last_failures as (
    select
        organization_id,
        sync_id,
        identifier,
        failure,
        last_failure_pattern
    from changelog
    where next_position is null and failure is not null

    union all

    select
        organization_id,
        sync_id,
        identifier,
        failure,
        last_failure_pattern
    from starting_states
    where first_replayed_position is null and failure is not null
),

replaced_failures as (
    select /*+ broadcast(replacements) */
        last_failures.organization_id,
        last_failures.sync_id,
        last_failures.identifier,
        last_failures.failure,
        last_failures.last_failure_pattern as failure_pattern,
        greatest(
            last_failures.failure.first.attempted_at,
            last_failures.failure.last.attempted_at,
            replacements.replacement.ended_at
        ) as ended_at,
        replacements.replacement.sync_run_id as ended_sync_run_id
    from last_failures
    inner join replacements
        on
            last_failures.organization_id = replacements.organization_id
            and last_failures.sync_id = replacements.sync_id
            and last_failures.failure.last.position = replacements.position
)

select
    organization_id,
    sync_id,
    identifier,
    ended_failure as failure,
    ended_failure_pattern as failure_pattern,
    failure_ended_at as ended_at,
    failure_ended_sync_run_id as ended_sync_run_id,
    failure_ended_by as ended_by,
    payload_changed,
    ended_as_bystander as is_bystander
from changelog
where ended_failure is not null

union all

select
    organization_id,
    sync_id,
    identifier,
    failure,
    failure_pattern,
    ended_at,
    ended_sync_run_id,
    'replaced' as ended_by,
    cast(null as boolean) as payload_changed,
    false as is_bystander
from replaced_failures
