{#
  The number of records of each sync after its last run, how many of them are open, by failure reason
  and pattern, and since when they fail.
#}
with

record_states as (
    select * from {{ ref('int_record_states__built') }}
),

changelog as (
    select * from {{ ref('int_changelog__built') }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

{{ sync_logs.state_as_of('runs_planned', 'sync_run_count') }},

last_runs as (
    select
        *,
        case when is_replacing then position else previous_replacing_position end
            as last_replacing_position
    from runs_planned
    where position = sync_run_count
),

records_marked as (
    select /*+ broadcast(last_runs) */
        states_as_of.organization_id,
        states_as_of.sync_id,
        states_as_of.failed_reason,
        -- a checkpoint of pruned runs may be older than patterns
        coalesce(states_as_of.failure_pattern, states_as_of.failed_reason) as failure_pattern,
        states_as_of.is_delivered,
        states_as_of.failure.first.attempted_at as failing_since_at,
        states_as_of.failure.first.position as failing_since_position,
        coalesce(
            {{ sync_logs.is_in_snapshot('states_as_of', 'last_runs') }}
            and states_as_of.status = 'failed',
            false
        ) as is_open
    from states_as_of
    inner join last_runs
        on
            states_as_of.organization_id = last_runs.organization_id
            and states_as_of.sync_id = last_runs.sync_id
)

select
    organization_id,
    sync_id,
    is_open,
    case when is_open then failed_reason end as failed_reason,
    case when is_open then failure_pattern end as failure_pattern,
    failing_since_at,
    failing_since_position,
    count(*) as record_count,
    count_if(is_delivered) as member_count
from records_marked
group by
    organization_id,
    sync_id,
    is_open,
    case when is_open then failed_reason end,
    case when is_open then failure_pattern end,
    failing_since_at,
    failing_since_position
