{#
  The number of records of each sync after its last run, and how many of them are open, by failure
  reason.
#}
with

record_states as (
    select * from {{ ref('int_record_states__built') }}
),

runs as (
    select * from {{ sync_logs.of_load(ref('int_runs__published')) }}
),

{{ sync_logs.state_as_of(
    'record_states', 'runs', 'sync_run_count', run_columns=['last_replacing_position']) }},

records_marked as (
    select
        organization_id,
        sync_id,
        failed_reason,
        is_delivered,
        coalesce(
            {{ sync_logs.is_in_snapshot('record_states_as_of') }} and status = 'failed', false
        ) as is_open
    from record_states_as_of
)

select
    organization_id,
    sync_id,
    is_open,
    case when is_open then failed_reason end as failed_reason,
    count(*) as record_count,
    count_if(is_delivered) as member_count
from records_marked
group by organization_id, sync_id, is_open, case when is_open then failed_reason end
