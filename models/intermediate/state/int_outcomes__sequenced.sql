{#
  Outcomes of the replayed runs with the delivered state of their record before the run. Set-based: a
  run sets the state of a record (in, out) or leaves it; a replacing run in between wipes it. The windows
  take the rows as they come, by record and run, so they need no shuffle and no sort of their own.
#}
{{ config(materialized='lazy_view') }}
with

final_attempts as (
    select * from {{ ref('int_attempts__final') }}
),

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

seed_states as (
    select * from {{ ref('int_seed_states__chosen') }}
),

runs_replayed as (
    select * from runs_planned
    where is_replayed
),

outcomes_replayed as (
    select /*+ broadcast(runs_replayed) */
        final_attempts.*,
        runs_replayed.order_at,
        runs_replayed.start_position,
        runs_replayed.is_replacing,
        runs_replayed.previous_replacing_position,
        runs_replayed.next_replacing_position
    from final_attempts
    inner join runs_replayed
        on
            final_attempts.organization_id = runs_replayed.organization_id
            and final_attempts.sync_id = runs_replayed.sync_id
            and final_attempts.position = runs_replayed.position
),

outcomes_seeded as (
    select
        outcomes_replayed.*,
        coalesce(seed_states.is_delivered, false) as seed_is_delivered,
        coalesce(seed_states.has_been_reached, false) as seed_has_been_reached
    from outcomes_replayed
    left join seed_states
        on
            outcomes_replayed.organization_id = seed_states.organization_id
            and outcomes_replayed.sync_id = seed_states.sync_id
            and outcomes_replayed.record_key = seed_states.identifier
            and outcomes_replayed.is_keyed
),

late_starts_found as (
    select
        *,
        is_begun_by_delete
        and not seed_has_been_reached
        and previous_replacing_position is null as is_late_start
    from outcomes_seeded
),

states_set as (
    select
        *,
        -- only the final attempt's row sets the state, no invalid row and no row without a key
        case
            when not is_keyed or record_status in ('invalid_null_key', 'invalid_duplicate_key')
                then null
            when delivers is not null then delivers
            when is_replacing then false
            when is_late_start then true
        end as sets_delivered
    from late_starts_found
),

states_carried as (
    select
        *,
        -- known to the invalid rows of the same run too
        max(case when is_late_start then position end) over (
            partition by organization_id, sync_id, record_key
            order by position asc
            range between unbounded preceding and current row
        ) as late_start_position,
        last_value(
            case
                when sets_delivered is not null
                    then named_struct('position', position, 'is_delivered', sets_delivered)
            end,
            true
        ) over (
            partition by organization_id, sync_id, record_key
            order by position asc
            range between unbounded preceding and 1 preceding
        ) as last_set
    from states_set
),

states_known as (
    select
        *,
        case
            when not is_keyed then false
            when position = late_start_position then true
            when
                coalesce(previous_replacing_position, 0)
                > coalesce(last_set.position, start_position)
                then false
            else coalesce(last_set.is_delivered, seed_is_delivered)
        end as was_delivered
    from states_carried
)

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    record_key,
    file_name,
    batch_number,
    row_index,
    canonical_operation,
    record_status,
    batch_ended_at,
    fields,
    is_keyed,
    status,
    failed_reason,
    position,
    order_at,
    is_replacing,
    next_replacing_position,
    delivers,
    delivered_at,
    delivering_operation,
    is_reached,
    is_late_start,
    sets_delivered,
    was_delivered,
    case
        when canonical_operation = 'delete' then 'removed'
        when canonical_operation = 'append' then 'added'
        when was_delivered then 'changed'
        else 'added'
    end as op_type
from states_known
