{#
  How many records each sync has after its last run, and how many of them are open, by the reason that
  they fail with.
#}
with

record_states as (
    select * from {{ ref('int_record_states__built') }}
),

runs as (
    select * from {{ ref('int_runs__published') }}
    where load_id = '{{ sync_logs.answered_load_id() }}'
),

{{ sync_logs.last_checkpoints('record_states', 'runs') }},

records_open as (
    select /*+ broadcast(last_runs), broadcast(changed_rows) */
        record_states.organization_id,
        record_states.sync_id,
        record_states.failed_reason,
        record_states.is_delivered,
        coalesce(
            {{ sync_logs.is_in_snapshot('record_states', 'last_runs') }}
            and record_states.status = 'failed',
            false
        ) as is_open
    from {{ sync_logs.rows_of_last_checkpoints('record_states') }}
)

select
    organization_id,
    sync_id,
    is_open,
    case when is_open then failed_reason end as failed_reason,
    count(*) as record_count,
    count_if(is_delivered) as member_count
from records_open
group by organization_id, sync_id, is_open, case when is_open then failed_reason end
